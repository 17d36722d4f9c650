package systemd

import "strings"

// simpleCommands divides a shell script into its simple commands, in the order
// they stand there, whatever the control flow: each is a list of words with
// the quotes removed. Variables and substitutions stay as written. It is no
// shell: it is to find out what a unit launches from the scripts that people
// write into ExecStart=.
func simpleCommands(script string) [][]string {
	l := lexer{text: script}
	l.run()
	return l.commands
}

// lexer reads a script from left to right.
type lexer struct {
	text     string
	at       int
	commands [][]string
	current  []string
	word     strings.Builder
	inWord   bool
	// skipWord is set behind a redirection, whose file is no argument.
	skipWord bool
}

func (l *lexer) run() {
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		switch {
		case c == '\\':
			l.escape()
		case c == '\'':
			l.quoted(c)
		case c == '"':
			l.quoted(c)
		case c == '`':
			l.literal(l.through('`'))
		case c == '$' && l.peek() == '(':
			l.literal(l.balanced('(', ')'))
		case c == '$' && l.peek() == '{':
			l.literal(l.balanced('{', '}'))
		case c == '#' && !l.inWord:
			l.comment()
		case c == ' ' || c == '\t' || c == '\r':
			l.endWord()
		case c == '>' || c == '<':
			l.redirect()
		case c == ';' || c == '&' || c == '|' || c == '\n' || c == '(' || c == ')':
			l.endCommand()
		default:
			l.word.WriteByte(c)
			l.inWord = true
		}
	}
	l.endCommand()
}

func (l *lexer) peek() byte {
	if l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

func (l *lexer) literal(s string) {
	l.word.WriteString(s)
	l.inWord = true
}

// escape reads a backslash outside quotes: it joins lines, or takes the next
// character for itself.
func (l *lexer) escape() {
	if l.at >= len(l.text) {
		return
	}
	c := l.text[l.at]
	l.at++
	if c != '\n' {
		l.word.WriteByte(c)
		l.inWord = true
	}
}

// quoted reads up to the closing quote.
func (l *lexer) quoted(quote byte) {
	l.inWord = true
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		switch {
		case c == quote:
			return
		case quote == '"' && c == '\\' && strings.IndexByte("\"\\$`\n", l.peek()) >= 0 && l.at < len(l.text):
			if l.text[l.at] != '\n' {
				l.word.WriteByte(l.text[l.at])
			}
			l.at++
		default:
			l.word.WriteByte(c)
		}
	}
}

// through takes the text from the character before up to and including the end.
func (l *lexer) through(end byte) string {
	start := l.at - 1
	for l.at < len(l.text) {
		l.at++
		if l.text[l.at-1] == end {
			break
		}
	}
	return l.text[start:l.at]
}

// balanced takes a substitution, from its $ to the bracket that closes it.
func (l *lexer) balanced(open, closing byte) string {
	start, depth := l.at-1, 0
	for l.at < len(l.text) {
		c := l.text[l.at]
		l.at++
		if c == open {
			depth++
		}
		if c == closing {
			if depth--; depth == 0 {
				break
			}
		}
	}
	return l.text[start:l.at]
}

func (l *lexer) comment() {
	for l.at < len(l.text) && l.text[l.at] != '\n' {
		l.at++
	}
}

// redirect passes over > >> < >& 2> and their like; digits before it number a
// file, and the word behind it names one.
func (l *lexer) redirect() {
	if strings.Trim(l.word.String(), "0123456789") == "" {
		l.word.Reset()
		l.inWord = false
	}
	l.endWord()
	for l.at < len(l.text) && strings.IndexByte("<>&|", l.text[l.at]) >= 0 {
		l.at++
	}
	l.skipWord = true
}

func (l *lexer) endWord() {
	if !l.inWord {
		return
	}
	if !l.skipWord {
		l.current = append(l.current, l.word.String())
	}
	l.word.Reset()
	l.inWord, l.skipWord = false, false
}

func (l *lexer) endCommand() {
	l.endWord()
	l.skipWord = false
	if len(l.current) > 0 {
		l.commands = append(l.commands, l.current)
	}
	l.current = nil
}
