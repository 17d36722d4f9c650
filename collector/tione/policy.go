package tione

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

const (
	maxPolicyBytes   = 1 << 20
	maxUnknownFields = 50
)

// policyRead is everything one policy file gave.
type policyRead struct {
	policy *facts.SchedulingPolicy
	gaps   []facts.Gap
	origin facts.Origin
}

// readPolicy reads a scheduling policy. The file always has an entry: its
// faults are facts. Values stand in it only if the whole file is sound.
func readPolicy(file string, text []byte) policyRead {
	r := policyReader{
		file:   file,
		policy: &facts.SchedulingPolicy{File: file, UnknownFields: []string{}},
		places: map[string]int64{},
	}
	if len(text) > maxPolicyBytes {
		detail := fmt.Sprintf("%s: it has %d bytes; a scheduling policy has some hundred", file, len(text))
		return policyRead{gaps: []facts.Gap{{Path: policyPath, Reason: facts.ReasonFailed, Detail: detail}}, origin: r.origin()}
	}

	r.policy.SHA256 = digest(text)
	r.form = examine(text)
	if r.form.root != nil {
		r.document(r.form.root)
	}
	if r.form.broken {
		r.distrust()
	}
	r.policy.Problems = r.form.facts()
	r.gapsForMissingValues()
	return policyRead{policy: r.policy, gaps: r.gaps, origin: r.origin()}
}

type policyReader struct {
	file   string
	form   *form
	policy *facts.SchedulingPolicy
	gaps   []facts.Gap
	// places are offsets by the last segment of the fact's path.
	places map[string]int64
}

// document reads the top level. The names are TI-ONE's; letter case matters.
func (r *policyReader) document(root *value) {
	r.places[""] = root.offset
	if root.kind != '{' {
		r.form.fault(root.offset, "type", "", root.what()+" where the policy, an object, must stand")
		return
	}
	r.unknown(root, "", "Version", "ResourceRule", "TaskRules", "SchedulingPolicy")
	if m := r.member(root, "", "Version", "version"); m != nil {
		r.policy.Version = r.text(m, "/Version")
	}
	if m := r.member(root, "", "ResourceRule", "defaultPriority", "defaultQueue", "preempted"); m != nil {
		r.resourceRule(m)
	}
	if m := r.member(root, "", "TaskRules", "taskRules"); m != nil {
		r.taskRules(m)
	}
	if m := root.get("SchedulingPolicy"); m != nil {
		r.crossGroup(m)
	}
}

func (r *policyReader) resourceRule(m *member) {
	const pointer = "/ResourceRule"
	if !r.is(m, pointer, '{', "an object") {
		return
	}
	for _, f := range []struct {
		name, key string
		to        **int64
	}{
		{"DefaultPriority", "defaultPriority", &r.policy.DefaultPriority},
		{"DefaultQueue", "defaultQueue", &r.policy.DefaultQueue},
		{"Preempted", "preempted", &r.policy.Preempted},
	} {
		if m := r.member(m.value, pointer, f.name, f.key); m != nil {
			*f.to = r.number(m, pointer+"/"+f.name)
		}
	}
	r.unknown(m.value, pointer, "DefaultPriority", "DefaultQueue", "Preempted")
}

// taskRules reads the rules, whose members are not published: names are kept,
// and a priority where one is recognisable. A list with anything but objects
// is no list of rules.
func (r *policyReader) taskRules(m *member) {
	if !r.is(m, "/TaskRules", '[', "a list") {
		return
	}
	rules, sound := []facts.TaskRule{}, true
	for i, item := range m.value.items {
		pointer := "/TaskRules/" + itoa(i)
		r.places["taskRules/"+itoa(i)] = item.offset
		if item.kind != '{' {
			r.form.note(item.offset, "type", pointer, item.what()+" where a rule, an object, must stand")
			sound = false
			continue
		}
		rules = append(rules, r.taskRule(item))
	}
	if sound {
		r.policy.TaskRules = &rules
	}
}

var priorityName = regexp.MustCompile(`(?i)priority`)

func (r *policyReader) taskRule(v *value) facts.TaskRule {
	rule := facts.TaskRule{Members: []string{}}
	var priorities []int64
	for _, m := range v.members {
		rule.Members = append(rule.Members, m.name)
		if n, ok := whole(m.value); ok && priorityName.MatchString(m.name) {
			priorities = append(priorities, n)
		}
	}
	// Two candidates leave open which of them counts.
	if len(priorities) == 1 {
		rule.Priority = &priorities[0]
	}
	slices.Sort(rule.Members)
	return rule
}

func (r *policyReader) crossGroup(m *member) {
	const pointer = "/SchedulingPolicy"
	if !r.is(m, pointer, '{', "an object") {
		return
	}
	r.unknown(m.value, pointer, "CrossResourceGroupScheduling")
	cross := m.value.get("CrossResourceGroupScheduling")
	if cross == nil {
		return
	}
	r.places["crossGroupScheduling"] = cross.offset
	if kind := cross.value.kind; kind != 't' && kind != 'f' {
		r.form.note(cross.offset, "type", pointer+"/"+cross.name, cross.value.what()+" where true or false must stand")
		r.gap("crossGroupScheduling", r.placed(cross.offset, cross.value.what()+" where true or false must stand"))
		return
	}
	on := cross.value.kind == 't'
	r.policy.CrossGroupScheduling = &on
}

// member finds a member that the format demands. The facts that come from it
// take its place, or, if it is missing, that of the object around it.
func (r *policyReader) member(in *value, pointer, name string, keys ...string) *member {
	m := in.get(name)
	at := in.offset
	if m != nil {
		at = m.offset
	}
	for _, key := range keys {
		r.places[key] = at
	}
	if m == nil && !r.form.broken {
		var message strings.Builder
		fmt.Fprintf(&message, "%q is missing", name)
		for _, other := range in.members {
			if strings.EqualFold(other.name, name) {
				fmt.Fprintf(&message, "; there is %q, but letter case matters", other.name)
				break
			}
		}
		r.form.note(in.offset, "missing", pointer+"/"+name, message.String())
	}
	return m
}

func (r *policyReader) is(m *member, pointer string, kind byte, wanted string) bool {
	if byte(m.value.kind) == kind {
		return true
	}
	r.form.note(m.offset, "type", pointer, fmt.Sprintf("%s where %s must stand", m.value.what(), wanted))
	return false
}

func (r *policyReader) text(m *member, pointer string) *string {
	if !r.is(m, pointer, '"', "a string") {
		return nil
	}
	return &m.value.text
}

func (r *policyReader) number(m *member, pointer string) *int64 {
	n, ok := whole(m.value)
	if !ok {
		r.form.note(m.offset, "type", pointer, m.value.what()+" where a whole number must stand")
		return nil
	}
	return &n
}

// whole reads a whole number as TI-ONE writes it: 1, not 1.0 or "1".
func whole(v *value) (int64, bool) {
	if v.kind != '0' {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	return n, err == nil
}

// unknown notes the members that the format does not have.
func (r *policyReader) unknown(v *value, pointer string, known ...string) {
	for _, m := range v.members {
		at := pointer + "/" + escape(m.name)
		if !slices.Contains(known, m.name) && !slices.Contains(r.policy.UnknownFields, at) && len(r.policy.UnknownFields) < maxUnknownFields {
			r.policy.UnknownFields = append(r.policy.UnknownFields, at)
		}
	}
}

// distrust drops the values of an unsound file.
func (r *policyReader) distrust() {
	p := r.policy
	p.Version, p.DefaultPriority, p.DefaultQueue, p.Preempted, p.TaskRules, p.CrossGroupScheduling = nil, nil, nil, nil, nil, nil
}

// gapsForMissingValues says of every value that is absent why it is: because
// of the fault that makes the file unsound, or of the one at the value itself.
func (r *policyReader) gapsForMissingValues() {
	p := r.policy
	for _, v := range []struct {
		key, pointer string
		known        bool
	}{
		{"version", "/Version", p.Version != nil},
		{"defaultPriority", "/ResourceRule/DefaultPriority", p.DefaultPriority != nil},
		{"defaultQueue", "/ResourceRule/DefaultQueue", p.DefaultQueue != nil},
		{"preempted", "/ResourceRule/Preempted", p.Preempted != nil},
		{"taskRules", "/TaskRules", p.TaskRules != nil},
	} {
		if !v.known {
			r.gap(v.key, r.why(v.pointer))
		}
	}
	if r.form.broken {
		r.gap("crossGroupScheduling", r.why(""))
	}
}

func (r *policyReader) gap(key, detail string) {
	r.gaps = append(r.gaps, facts.Gap{Path: policyPath + "." + key, Reason: facts.ReasonFailed, Detail: detail})
}

// why finds the problem that explains an absent value.
func (r *policyReader) why(pointer string) string {
	for _, p := range r.form.problems {
		at := p.pointer != "" && (within(pointer, p.pointer) || within(p.pointer, pointer))
		if p.breaks || !r.form.broken && at {
			return r.placed(p.offset, p.message)
		}
	}
	return r.file + ": the value could not be read"
}

// within reports whether the pointer inner names outer or something below it.
func within(inner, outer string) bool {
	return inner == outer || strings.HasPrefix(inner, outer+"/")
}

func (r *policyReader) placed(offset int64, message string) string {
	line, column := facts.LineColumn(r.form.text, offset)
	return fmt.Sprintf("%s:%d:%d: %s", r.file, line, column, message)
}

// origin says where the facts stand in the file.
func (r *policyReader) origin() facts.Origin {
	const base = "/tione/policy"
	o := facts.Origin{Pointer: base, File: r.file, SHA256: r.policy.SHA256, Positions: []facts.Position{}}
	if r.form == nil {
		return o
	}
	if _, ok := r.places[""]; !ok {
		r.places[""] = 0
	}
	for key, offset := range r.places {
		pointer := base
		if key != "" {
			pointer += "/" + key
		}
		line, column := facts.LineColumn(r.form.text, offset)
		o.Positions = append(o.Positions, facts.Position{Pointer: pointer, Line: line, Column: column})
	}
	for i, p := range r.policy.Problems {
		o.Positions = append(o.Positions, facts.Position{Pointer: base + "/problems/" + itoa(i), Line: p.Line, Column: p.Column})
	}
	slices.SortFunc(o.Positions, func(a, b facts.Position) int { return strings.Compare(a.Pointer, b.Pointer) })
	return o
}
