package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed rows.json
var rowsText []byte

// row is one requirement of the operations guide.
type row struct {
	ID          string `json:"id"`
	Requirement string `json:"requirement"`
	// By says what covers the row where that is no rule.
	By string `json:"by"`
	// Also says what covers it beside its rules.
	Also string `json:"also"`
}

// rows returns all requirements in the order of the guide.
func rows() ([]row, error) {
	var all []row
	if err := json.Unmarshal(rowsText, &all); err != nil {
		return nil, fmt.Errorf("reading the embedded rows: %w", err)
	}
	return all, nil
}
