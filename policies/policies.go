// Package policies embeds the Rego policies. It holds no logic: the rules are
// in the folders beside this file, one rule a package, one package a file, its
// tests next to it.
package policies

import (
	"embed"
	"encoding/json"
	"fmt"
)

// FS holds every built-in module, tests included.
//
//go:embed */*.rego
var FS embed.FS

//go:embed rows.json
var rows []byte

// Row is one requirement of the operations guide that the rules answer.
type Row struct {
	ID          string `json:"id"`
	Requirement string `json:"requirement"`
	// By says what covers the row where that is no rule.
	By string `json:"by"`
	// Also says what covers it beside its rules.
	Also string `json:"also"`
}

// Rows returns all requirements in the order of the guide.
func Rows() ([]Row, error) {
	var all []Row
	if err := json.Unmarshal(rows, &all); err != nil {
		return nil, fmt.Errorf("reading the embedded rows: %w", err)
	}
	return all, nil
}
