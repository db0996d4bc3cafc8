package supportchat

import (
	"context"
	"log/slog"
	"reflect"
	"strings"
)

// A Mismatch is a field of a response that does not match the contract.
type Mismatch struct {
	// Model is the type that has the field.
	Model string
	// Field is the name of the field in JSON.
	Field   string
	Problem MismatchProblem
	// Unknown holds the names that the same object has and the type does not.
	Unknown []string
	// The request, which [MismatchesOf] does not know.
	Method, Template, RequestID string
}

// MismatchesOf returns what was missing or unreadable in a value that this package decoded, in the objects
// within it too. Such fields are zero.
func MismatchesOf(value any) []Mismatch {
	var all []Mismatch
	for _, object := range mismatchedIn(value) {
		all = append(all, object.mismatches()...)
	}
	return all
}

// A mismatchable value keeps the objects that did not match their models when it was decoded.
type mismatchable interface{ mismatchedObjects() []mismatchedObject }

func mismatchedIn(value any) []mismatchedObject {
	v := reflect.ValueOf(value)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if !v.IsValid() {
		return nil
	}
	if kept, ok := v.Interface().(mismatchable); ok {
		return kept.mismatchedObjects()
	}
	content, err := encodeJSON(v.Interface())
	if err != nil {
		return nil
	}
	found, _ := decodeWith(cursor{data: content, isReporting: true}, reflect.New(v.Type()).Elem())
	return found
}

func (o *mismatchedObject) mismatches() []Mismatch {
	var all []Mismatch
	for _, field := range o.fields {
		all = append(all, Mismatch{
			Model: o.model, Field: o.codec.fields[field.index].name, Problem: field.problem, Unknown: o.unknown,
		})
	}
	return all
}

// describeMismatches returns the text of mismatches in one object.
func describeMismatches(all []Mismatch) string {
	fields := map[MismatchProblem][]string{}
	for _, one := range all {
		fields[one.Problem] = append(fields[one.Problem], one.Field)
	}
	fields["unknown"] = all[0].Unknown
	var parts []string
	for _, problem := range []MismatchProblem{MismatchMissing, MismatchNull, MismatchUnreadable, "unknown"} {
		if names := fields[problem]; len(names) > 0 {
			parts = append(parts, string(problem)+" "+strings.Join(names, ", "))
		}
	}
	return all[0].Model + ": " + strings.Join(parts, "; ")
}

// report passes mismatches to the hook and to the log, once per field. It returns an error if the client is
// strict.
func (a *api) report(ctx context.Context, received *response, found []mismatchedObject) error {
	for _, object := range found {
		var fresh []Mismatch
		for _, mismatch := range object.mismatches() {
			mismatch.Method, mismatch.Template = received.draft.method, received.draft.template
			mismatch.RequestID = received.requestID()
			if hook := a.settings.onMismatch; hook != nil {
				hook(ctx, mismatch)
			}
			if _, known := a.settings.warned.LoadOrStore(mismatch.Model+"."+mismatch.Field, true); !known {
				fresh = append(fresh, mismatch)
			}
		}
		if len(fresh) > 0 && !a.settings.strict && a.settings.isLogging(ctx, policyLogEventsMismatch) {
			a.settings.log(ctx, policyLogEventsMismatch, describeMismatches(fresh)+". "+policyMismatchesQuestion,
				slog.String("method", received.draft.method),
				slog.String("template", received.draft.template),
				slog.String("request_id", a.withoutKey(received.requestID())))
		}
	}
	if !a.settings.strict || len(found) == 0 {
		return nil
	}
	return a.invalidResponse(describeMismatches(found[0].mismatches()), received)
}
