package words

// Retell says in this language what policies, collectors and the evaluator have
// said in English: reasons, gaps, notices. What programs and files said is
// quoted in them, and stays as it is; so does a sentence that is not known here.
func (l Language) Retell(s string) string {
	if l != Korean {
		return s
	}
	return retold.Tell(s)
}
