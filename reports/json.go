package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// WriteJSON writes the whole assessment; its schema is evaluator/schema.json.
// Control characters in names are escaped, as in the facts.
func WriteJSON(w io.Writer, a *evaluator.Assessment, _ Options) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the assessment: %w", err)
	}
	if _, err := w.Write(facts.EscapeControls(append(b, '\n'))); err != nil {
		return fmt.Errorf("writing the assessment: %w", err)
	}
	return nil
}
