package supportchat

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A modelCodec codes a struct that embeds Extra.
type modelCodec struct {
	fields []modelField
	byName map[string]int
	// The paths of Extra and of the map for additional properties, or nil.
	extra, additional []int
	additionalElem    codec
}

// A modelField is one field of the JSON object.
type modelField struct {
	name string
	// The index in the struct, or the path through embedded models.
	path     []int
	codec    codec
	optional bool
	// Whether a response must have it. A field that only responses have is optional in requests.
	required bool
	// The encoding of a nil list or map.
	whenNil string
	// The value of a constant field, which the struct does not hold.
	constant json.RawMessage
}

// model describes a struct by its tags:
//
//	Name string `json:"name"`               required
//	Name *string `json:"name,omitzero"`     optional; `required:"true"` if responses have it
//	Name []string `json:"name" nil:"null"`  a list or map whose nil is null
//	Name string `json:"" wire:"a, b"`       a name that the json tag cannot hold
//	_ string `wire:"type" const:"url"`      a constant
//	Rest map[string]string `json:"-"`       additional properties
func (b codecBuilder) model(t reflect.Type) codec {
	made := &modelCodec{byName: map[string]int{}}
	b[t] = made
	b.addFields(made, t, nil)
	return made
}

// addFields adds the fields of a struct, and those of a model that it embeds.
func (b codecBuilder) addFields(made *modelCodec, t reflect.Type, above []int) {
	isModelItself := directExtra(t)
	for i := range t.NumField() {
		field := t.Field(i)
		path := append(above[:len(above):len(above)], i)
		name, isNamed := wireName(field)
		switch {
		case field.Type == extraType:
			made.extra = path
		case field.Anonymous && isModel(field.Type):
			b.addFields(made, field.Type, path)
		case isNamed:
			added := b.field(name, path, field)
			added.required = added.required && isModelItself // another field is the user's own
			made.byName[name] = len(made.fields)
			made.fields = append(made.fields, added)
		case isModelItself && field.Tag.Get("json") == "-":
			made.additional, made.additionalElem = path, b.build(field.Type.Elem())
		}
	}
}

// at returns a field by its path.
func at(v reflect.Value, path []int) reflect.Value {
	for _, index := range path {
		v = v.Field(index)
	}
	return v
}

// field returns the field of a struct by its name in JSON.
func (m *modelCodec) field(v reflect.Value, name string) reflect.Value {
	return at(v, m.fields[m.byName[name]].path)
}

func wireName(field reflect.StructField) (name string, ok bool) {
	if name, ok := field.Tag.Lookup("wire"); ok {
		return name, true
	}
	tag, isTagged := field.Tag.Lookup("json")
	if !isTagged {
		return field.Name, field.IsExported()
	}
	name, _, _ = strings.Cut(tag, ",")
	return name, name != "" && name != "-"
}

func (b codecBuilder) field(name string, path []int, field reflect.StructField) modelField {
	if constant, ok := field.Tag.Lookup("const"); ok {
		raw := json.RawMessage(constant)
		if field.Type.Kind() == reflect.String {
			raw = appendString(nil, constant)
		}
		return modelField{name: name, path: path, constant: raw}
	}
	_, option, _ := strings.Cut(field.Tag.Get("json"), ",")
	made := modelField{name: name, path: path, codec: b.build(field.Type)}
	made.optional = option == "omitzero" || option == "omitempty"
	made.required = !made.optional || field.Tag.Get("required") != ""
	made.whenNil = field.Tag.Get("nil")
	switch kind := field.Type.Kind(); {
	case made.whenNil != "":
	case field.Type == bytesType:
		made.whenNil = `""`
	case kind == reflect.Slice:
		made.whenNil = "[]"
	case kind == reflect.Map:
		made.whenNil = "{}"
	}
	return made
}

func (m *modelCodec) decode(c *cursor, v reflect.Value) bool {
	if c.next() != '{' {
		c.skip()
		return false
	}
	v.SetZero()
	var few [32]bool
	seen := few[:]
	if len(m.fields) > len(few) {
		seen = make([]bool, len(m.fields))
	}
	extra := at(v, m.extra).Addr().Interface().(*Extra)
	var found mismatchedObject
	place := len(c.found) // before the objects within it
	for c.more('}') {
		key := c.key()
		i, known := m.byName[string(key)]
		if !known {
			if c.isReporting && m.additional == nil {
				found.unknown = append(found.unknown, string(key))
			}
			m.decodeUnknown(string(key), c, v, extra)
			continue
		}
		field := &m.fields[i]
		if seen[i] {
			// The last of several wins.
			delete(*extra, field.name)
			found.fields = slices.DeleteFunc(found.fields, func(f mismatchedField) bool { return f.index == i })
		}
		seen[i] = true
		start := c.pos
		c.isFlawed = false
		fits, complete := field.decode(c, v)
		if !complete {
			extra.set(field.name, c.data[start:c.pos])
		}
		if c.isReporting && (!fits || c.isFlawed) {
			problem := MismatchUnreadable
			if c.data[start] == 'n' {
				problem = MismatchNull
			}
			found.fields = append(found.fields, mismatchedField{i, problem})
		}
	}
	c.isFlawed = false
	for i := range m.fields {
		field := &m.fields[i]
		if seen[i] {
			continue
		}
		if !field.optional && field.required {
			extra.set(field.name, nil)
		}
		if c.isReporting && field.required {
			found.fields = append(found.fields, mismatchedField{i, MismatchMissing})
		}
	}
	if len(found.fields) > 0 {
		slices.SortFunc(found.fields, func(a, b mismatchedField) int { return a.index - b.index })
		found.model = v.Type().Name()
		found.codec = m
		c.found = slices.Insert(c.found, place, found)
	}
	return true
}

// decode reports whether the value fits the field, and whether the field alone can encode it again.
func (f *modelField) decode(c *cursor, v reflect.Value) (fits, complete bool) {
	if f.constant != nil {
		return true, string(c.raw()) == string(f.constant)
	}
	value := at(v, f.path)
	isNull := c.next() == 'n'
	if !f.codec.decode(c, value) {
		value.SetZero()
		return false, false
	}
	isZero := value.IsZero()
	_, isAny := f.codec.(interfaceCodec)
	if isNull && isZero && !isAny && f.whenNil != "null" && (f.optional || f.whenNil != "") {
		return false, false
	}
	return true, !f.optional || !isZero
}

func (m *modelCodec) decodeUnknown(key string, c *cursor, v reflect.Value, extra *Extra) {
	start := c.pos
	if m.additional == nil {
		c.skip()
		extra.set(key, c.data[start:c.pos])
		return
	}
	entries := at(v, m.additional)
	value := reflect.New(entries.Type().Elem()).Elem()
	if !m.additionalElem.decode(c, value) {
		extra.set(key, c.data[start:c.pos])
		return
	}
	if entries.IsNil() {
		entries.Set(reflect.MakeMap(entries.Type()))
	}
	entries.SetMapIndex(reflect.ValueOf(key), value)
}

func (m *modelCodec) encode(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '{')
	isFirst := true
	for member := range m.members(v) {
		if !isFirst {
			b = append(b, ',')
		}
		isFirst = false
		b = append(appendString(b, member.name), ':')
		var err error
		if b, err = member.appendTo(b); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// A member is a name with a raw value or with a value to encode.
type member struct {
	name  string
	raw   json.RawMessage
	codec codec
	value reflect.Value
}

func (m member) appendTo(b []byte) ([]byte, error) {
	if !m.value.IsValid() {
		if !isValidJSON(m.raw) {
			return nil, fmt.Errorf("the field %q of Extra is %w", m.name, errSyntax)
		}
		return append(b, m.raw...), nil
	}
	b, err := m.codec.encode(b, m.value)
	if err != nil {
		return nil, fmt.Errorf("the field %q: %w", m.name, err)
	}
	return b, nil
}

// members yields the members to send: the fields, then additional properties and Extra.
func (m *modelCodec) members(v reflect.Value) iter.Seq[member] {
	return func(yield func(member) bool) {
		extra := at(v, m.extra).Interface().(Extra)
		for i := range m.fields {
			if made, ok := m.fields[i].member(v, extra); ok && !yield(made) {
				return
			}
		}
		if m.additional != nil {
			entries := at(v, m.additional)
			for _, key := range slices.SortedFunc(slices.Values(entries.MapKeys()), byText) {
				made := member{name: key.String(), codec: m.additionalElem, value: entries.MapIndex(key)}
				if _, known := m.byName[made.name]; !known && !yield(made) {
					return
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(extra)) {
			_, known := m.byName[name]
			if !known && extra[name] != nil && !yield(member{name: name, raw: extra[name]}) {
				return
			}
		}
	}
}

func byText(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }

// member returns the member of a field. ok is false if it is omitted.
func (f *modelField) member(v reflect.Value, extra Extra) (made member, ok bool) {
	raw, kept := extra[f.name]
	isZero := (kept || f.optional) && (f.constant != nil || at(v, f.path).IsZero())
	switch {
	case kept && isZero:
		return member{name: f.name, raw: raw}, raw != nil
	case f.constant != nil:
		return member{name: f.name, raw: f.constant}, true
	case f.optional && isZero:
		return member{}, false
	case f.whenNil != "" && at(v, f.path).IsNil():
		return member{name: f.name, raw: json.RawMessage(f.whenNil)}, true
	default:
		return member{name: f.name, codec: f.codec, value: at(v, f.path)}, true
	}
}

// A mismatchedObject is an object that does not match its model.
type mismatchedObject struct {
	model string
	codec *modelCodec
	// In the order of the contract.
	fields  []mismatchedField
	unknown []string
}

// A mismatchedField is a field by its index in the codec.
type mismatchedField struct {
	index   int
	problem MismatchProblem
}

// MismatchProblem says what is wrong with a field.
type MismatchProblem string

// The problems of a field.
const (
	// MismatchMissing means that a required field is missing.
	MismatchMissing MismatchProblem = "missing"
	// MismatchNull means that a field is null although it must not be.
	MismatchNull MismatchProblem = "null"
	// MismatchUnreadable means that a field has a value of another type.
	MismatchUnreadable MismatchProblem = "unreadable"
)
