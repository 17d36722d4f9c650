package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// langFlag chooses the language of reports and of help.
const langFlag = "lang"

// chosenLanguage is that of --lang, else that of the locale. It is looked for
// before the flags are read, since their help is worded in it.
func chosenLanguage(args []string, getenv func(string) string) (words.Language, error) {
	for i, arg := range args {
		value, given := strings.CutPrefix(arg, "--"+langFlag+"=")
		switch {
		case arg == "--":
			return words.FromEnvironment(getenv), nil
		case given:
			return words.Parse(value)
		case arg == "--"+langFlag && i+1 < len(args):
			return words.Parse(args[i+1])
		}
	}
	return words.FromEnvironment(getenv), nil
}

// registerLanguage adds the flag to every command. Its value is taken by
// chosenLanguage.
func registerLanguage(root *cobra.Command) {
	root.PersistentFlags().String(langFlag, "", "`LANGUAGE` of reports and of help: en or ko (default: that of the locale)")
	complete(root, langFlag, completeWords([]string{string(words.English), string(words.Korean)}, cobra.ShellCompDirectiveNoFileComp))
}

// koreanBook has all that the command line says.
var koreanBook = words.NewPhrasebook(slices.Concat(koreanHelp, koreanSaid))

// tell says an English sentence in the language that was chosen.
func (a *app) tell(sentence string) string {
	switch {
	case a.lang != words.Korean:
		return sentence
	case koreanBook.Has(sentence):
		return koreanBook.Tell(sentence)
	}
	return a.lang.Retell(sentence)
}

// tellLines says a text of several lines, line by line.
func (a *app) tellLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = a.tell(line)
	}
	return strings.Join(lines, "\n")
}

// tellComments says the comments of a YAML file that are sentences. What is
// commented out, and the mark "decide:" that people search for, stay.
func (a *app) tellComments(text []byte) []byte {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		before, comment, found := strings.Cut(line, "# ")
		if found && (strings.TrimSpace(before) == "" || strings.Contains(comment, "decide: ")) {
			lines[i] = before + "# " + a.tell(comment)
		}
	}
	return []byte(strings.Join(lines, "\n"))
}

// wordHelp words the help of a command, and of those below it.
func (a *app) wordHelp(c *cobra.Command) {
	if a.lang != words.Korean {
		return
	}
	if long, ok := koreanLong[c.CommandPath()]; ok {
		c.Long = long.text
	}
	c.Short = a.tell(c.Short)
	word := func(f *pflag.Flag) {
		f.Usage = a.tell(f.Usage)
		if titles := f.Annotations[sectionKey]; len(titles) > 0 {
			f.Annotations[sectionKey] = []string{a.tell(titles[0])}
		}
	}
	c.Flags().VisitAll(word)
	c.PersistentFlags().VisitAll(word)
	for _, sub := range c.Commands() {
		a.wordHelp(sub)
	}
}

// wording loads the built-in policies for the words of what they judged; nil in
// English, which every assessment holds.
func (a *app) wording(ctx context.Context) (*evaluator.PolicySet, error) {
	if a.lang != words.Korean {
		return nil, nil
	}
	return evaluator.Load(ctx, nil, evaluator.Selection{})
}

// digestOf is how a translation names the text that it is of.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}
