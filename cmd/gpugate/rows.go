package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/gpugate/gpugate/reports/words"
)

//go:embed rows.json
var rowsText []byte

// row is one requirement of the operations guide.
type row struct {
	ID          string `json:"id"`
	Requirement string `json:"requirement"`
	// Korean is the same in Korean.
	Korean string `json:"ko"`
	// By says what covers the row where that is no rule.
	By string `json:"by"`
	// Also says what covers it beside its rules.
	Also string `json:"also"`
}

// in is the requirement in a language.
func (r row) in(l words.Language) string {
	if l == words.Korean {
		return r.Korean
	}
	return r.Requirement
}

// rows returns all requirements in the order of the guide.
func rows() ([]row, error) {
	var all []row
	if err := json.Unmarshal(rowsText, &all); err != nil {
		return nil, fmt.Errorf("reading the embedded rows: %w", err)
	}
	return all, nil
}
