// Carries out orders, one line of JSON each: makes a client, calls it and reports the outcome.
package supportchat_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

type call struct {
	Operation string                     `json:"operation"`
	Path      []string                   `json:"path"`
	Params    map[string]json.RawMessage `json:"params"`
	Body      json.RawMessage            `json:"body"`
	Options   options                    `json:"options"`
	Take      any                        `json:"take"`
	Cancel    string                     `json:"cancel"`
}

type order struct {
	Client      options           `json:"client"`
	Environment map[string]string `json:"environment"`
	Clock       struct {
		Now    time.Time `json:"now"`
		Chance float64   `json:"chance"`
	} `json:"clock"`
	Call       call   `json:"call"`
	SettledURL string `json:"settled_url"`
	CancelURL  string `json:"cancel_url"`
	Times      int    `json:"times"`
}

type result struct {
	Returned any `json:"returned"`
	Raised   any `json:"raised"`
}

type report struct {
	Waits      []float64        `json:"waits"`
	Results    []result         `json:"results"`
	Logs       []entry          `json:"logs"`
	Mismatches []map[string]any `json:"mismatches"`
	Told       []map[string]any `json:"told"`
	Shown      string           `json:"shown"`
}

func TestMain(*testing.M) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			panic(err)
		}
		if err := out.Encode(o.carryOut()); err != nil {
			panic(err)
		}
	}
}

// notes collects everything that is logged and printed.
type notes struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

func (o order) carryOut() report {
	for name, value := range o.Environment {
		os.Setenv(name, value)
		defer os.Unsetenv(name)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.Call.Cancel == "reading" || o.Call.Cancel == "connecting" {
		go func() {
			// It fails if the case ends first.
			if get(o.CancelURL) == nil {
				cancel()
			}
		}()
	}
	r := report{
		Waits:      []float64{},
		Results:    make([]result, o.Times),
		Logs:       []entry{},
		Mismatches: []map[string]any{},
		Told:       []map[string]any{},
	}
	shown := &notes{}
	logs := &logbook{}
	told := &hooks{}
	var mu sync.Mutex
	sleep := func(delay time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		r.Waits = append(r.Waits, delay.Seconds())
		if o.Call.Cancel == "waiting" {
			cancel()
		}
		if err := get(o.SettledURL); err != nil {
			panic(err)
		}
	}

	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	text := slog.NewTextHandler(shown, &slog.HandlerOptions{Level: slog.LevelDebug})
	logger := slog.New(recorder{Handler: text, logs: logs})
	var client *supportchat.Client
	opts, err := o.Client.all(told)
	if err == nil {
		client, err = supportchat.NewClient(append(opts,
			supportchat.WithHTTPClient(&http.Client{Transport: transport}),
			supportchat.WithLogger(logger),
			supportchat.WithClock(o.Clock.Now, o.Clock.Chance, sleep))...)
	}
	if err != nil {
		r.Results[0] = result{Raised: described(err)}
		r.Shown = fmt.Sprintf("%v %+v %#v", err, err, err)
		return r
	}
	fmt.Fprintf(shown, "%v %+v %#v\n", client, client, client)

	var calls sync.WaitGroup
	for n := range o.Times {
		calls.Add(1)
		go func() {
			defer calls.Done()
			value, err := o.Call.numbered(n).perform(ctx, client, told)
			r.Results[n].Returned = value
			if err != nil {
				fmt.Fprintf(shown, "%v %+v %#v\n", err, err, err)
				r.Results[n].Raised = described(err)
			}
		}()
	}
	calls.Wait()
	r.Logs = append(r.Logs, logs.entries...)
	r.Mismatches = append(r.Mismatches, told.mismatches...)
	r.Told = append(r.Told, told.attempts...)
	r.Shown = shown.text.String()
	return r
}

// get waits for the end of a response.
func get(url string) error {
	response, err := http.Get(url)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

func (c call) numbered(n int) call {
	path := make([]string, len(c.Path))
	for i, segment := range c.Path {
		path[i] = strings.ReplaceAll(segment, "{n}", strconv.Itoa(n))
	}
	c.Path = path
	return c
}

// perform makes the call of the operation.
func (c call) perform(ctx context.Context, client *supportchat.Client, told *hooks) (any, error) {
	opts, err := c.Options.all(told)
	if err != nil {
		return nil, err
	}
	if c.Take == "raw" {
		var response *http.Response
		c.Take = nil
		value, err := c.send(ctx, client, append(opts, supportchat.WithResponseInto(&response)))
		if err != nil {
			return nil, err
		}
		return map[string]any{
			"data":       value,
			"status":     response.StatusCode,
			"request_id": orNil(strings.Join(response.Header.Values("X-Request-Id"), ", ")),
		}, nil
	}
	if c.Take == "request_id" {
		var id string
		value, err := c.send(ctx, client, append(opts, supportchat.WithRequestIDInto(&id)))
		if err != nil {
			return nil, err
		}
		return map[string]any{"data": value, "request_id": orNil(id)}, nil
	}
	return c.send(ctx, client, opts)
}

func (c call) send(
	ctx context.Context, client *supportchat.Client, opts []supportchat.RequestOption,
) (any, error) {
	switch c.Operation {
	case "probes.list":
		params := &supportchat.ProbeListParams{}
		c.fill(params)
		return take(ctx, c.Take,
			func() (*supportchat.Page[supportchat.Probe], error) {
				return client.Probes.List(ctx, params, opts...)
			}, client.Probes.All(ctx, params, opts...), client.Probes.Pages(ctx, params, opts...))
	case "probes.trials.list":
		params := &supportchat.ProbeTrialListParams{}
		c.fill(params)
		trials := client.Probes.Trials
		return take(ctx, c.Take,
			func() (*supportchat.Page[supportchat.ProbeTrial], error) {
				return trials.List(ctx, params, opts...)
			}, trials.All(ctx, params, opts...), trials.Pages(ctx, params, opts...))
	case "probes.notes.create":
		body := bodyOf[supportchat.ProbeNoteCreate](c)
		return value(client.Probes.Notes.Create(ctx, c.Path[0], body, opts...))
	case "probes.attach":
		return value(client.Probes.Attach(ctx, c.attachment(), opts...))
	case "probes.summary":
		return value(client.Probes.Summary(ctx, opts...))
	case "probes.get":
		return value(client.Probes.Get(ctx, c.Path[0], opts...))
	case "probes.create":
		return value(client.Probes.Create(ctx, bodyOf[supportchat.ProbeCreate](c), opts...))
	case "probes.update":
		body := bodyOf[supportchat.ProbeUpdate](c)
		return value(client.Probes.Update(ctx, c.Path[0], body, opts...))
	case "probes.delete":
		return nil, client.Probes.Delete(ctx, c.Path[0], opts...)
	case "probes.poke":
		return nil, client.Probes.Poke(ctx, c.Path[0], opts...)
	case "probes.touch":
		return nil, client.Probes.Touch(ctx, c.Path[0], nil, opts...)
	case "probes.tag":
		return nil, client.Probes.Tag(ctx, c.Path[0], bodyOf[[]string](c), opts...)
	case "probes.report":
		return text(client.Probes.Report(ctx, c.Path[0], opts...))
	case "probes.image":
		return text(client.Probes.Image(ctx, c.Path[0], opts...))
	}
	return nil, errors.New("unknown operation " + c.Operation)
}

// value turns a nil pointer into a nil any.
func value[T any](v *T, err error) (any, error) {
	if v == nil {
		return nil, err
	}
	return v, err
}

// text turns the content of a response into a string, and that of a failed call into nil.
func text[T string | []byte](content T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return string(content), nil
}

func take[T any](
	ctx context.Context, what any, first func() (*supportchat.Page[T], error),
	all iter.Seq2[*T, error], pages iter.Seq2[*supportchat.Page[T], error],
) (any, error) {
	switch what := what.(type) {
	case float64:
		return collected(all, int(what))
	case map[string]any:
		limit, isLimited := what["list"].(float64)
		if !isLimited {
			limit = -1
		}
		items, err := collected(all, int(limit))
		if err != nil {
			return nil, err
		}
		return items, nil
	}
	switch what {
	case "all":
		return collected(all, -1)
	case "pages":
		var shown []any
		for page, err := range pages {
			if err != nil {
				return shown, err
			}
			shown = append(shown, shownPage(page))
		}
		return shown, nil
	}
	page, err := first()
	if err != nil {
		return nil, err
	}
	if what != "next" {
		return shownPage(page), nil
	}
	next, err := page.NextPage(ctx)
	if err != nil && !errors.Is(err, supportchat.ErrNoNextPage) {
		return nil, err
	}
	return []any{shownPage(page), shownPage(next)}, nil
}

// collected returns nothing where an error precedes all items.
func collected[T any](all iter.Seq2[*T, error], limit int) (any, error) {
	items, err := supportchat.Collect(all, limit)
	switch {
	case items != nil:
		return items, err
	case err != nil:
		return nil, err
	default:
		return []*T{}, nil
	}
}
