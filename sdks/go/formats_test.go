//go:build everycontract

package supportchat_test

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"reflect"
	"strings"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

var morning = time.Date(2026, 3, 6, 10, 0, 0, 0, time.UTC)

type upload struct {
	_      string             `wire:"purpose" const:"help"`
	About  map[string]string  `json:"about,omitzero"`
	Title  string             `json:"title"`
	Tags   []string           `json:"tags,omitzero"`
	Count  *int64             `json:"count,omitzero"`
	Public *bool              `json:"public,omitzero"`
	File   supportchat.File   `json:"file"`
	Parts  []supportchat.File `json:"parts,omitzero"`
	supportchat.Extra
}

func send(t *testing.T, format func(any) (string, []byte, error), body any) request {
	t.Helper()
	supportchat.SetOperation(t, "POST /v1/things", supportchat.Operation{Body: format})
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	if err := client.Do(t.Context(), "POST", "/v1/things", supportchat.DoParams{Body: body}, nil); err != nil {
		t.Fatal(err)
	}
	return server.sent()[0]
}

func TestFormRepeatsListsAndOmitsAbsentFields(t *testing.T) {
	type form struct {
		_     string           `wire:"grant" const:"a b"`
		Scope []string         `json:"scope,omitzero"`
		Name  *string          `json:"name,omitzero"`
		None  *string          `json:"none"`
		Until time.Time        `json:"until"`
		Rest  map[string]int64 `json:"-"`
		supportchat.Extra
	}
	sent := send(t, supportchat.FormBody, form{
		Scope: []string{"r w", "é&"}, Until: morning, Rest: map[string]int64{"b": 2, "a": 1},
		Extra: supportchat.Extra{"later": []byte(`["x",true]`)},
	})
	equal(t, sent.Body, "grant=a%20b&scope=r%20w&scope=%C3%A9%26&until=2026-03-06T10%3A00%3A00Z"+
		"&a=1&b=2&later=x&later=true")
	equal(t, sent.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
}

func TestMultipartCarriesFieldsAndFiles(t *testing.T) {
	sent := send(t, supportchat.MultipartBody, &upload{
		About: map[string]string{"a": "b"},
		Title: "Tïtle", Tags: []string{"a", "b"}, Public: supportchat.Ptr(false),
		File:  supportchat.File{Name: `a "b".txt`, ContentType: "text/plain", Content: []byte("content")},
		Parts: []supportchat.File{{Name: "日\r\n", Content: []byte{0, 1}}},
	})
	_, params, err := mime.ParseMediaType(sent.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	reader := multipart.NewReader(strings.NewReader(sent.Body), params["boundary"])
	for part, err := reader.NextPart(); err == nil; part, err = reader.NextPart() {
		content, _ := io.ReadAll(part)
		got = append(got, part.FormName()+"|"+part.FileName()+"|"+part.Header.Get("Content-Type")+"|"+string(content))
	}
	equalSlices(t, got,
		"purpose|||help", `about||application/json|{"a":"b"}`, "title|||Tïtle", "tags|||a", "tags|||b", "public|||false",
		`file|a "b".txt|text/plain|content`, "parts|日%0D%0A|application/octet-stream|\x00\x01")
}

func TestTextAndBytesAreSentVerbatim(t *testing.T) {
	text := send(t, supportchat.ContentBody("text/plain"), "a <b>\n")
	equal(t, text.Body, "a <b>\n")
	equal(t, text.Header.Get("Content-Type"), "text/plain")
	equal(t, send(t, supportchat.ContentBody("image/png"), []byte{0, 255}).Body, "\x00\xff")
}

func TestBodyOfTheWrongTypeIsRefused(t *testing.T) {
	for _, format := range []func(any) (string, []byte, error){
		supportchat.FormBody, supportchat.MultipartBody, supportchat.ContentBody("text/plain"),
	} {
		supportchat.SetOperation(t, "POST /v1/things", supportchat.Operation{Body: format})
		server := newServer(t, ok(`{}`))
		client, _ := newClient(t, server.URL)
		if err := client.Do(t.Context(), "POST", "/v1/things", supportchat.DoParams{Body: 5}, nil); err == nil {
			t.Error("no error")
		}
		equal(t, len(server.sent()), 0)
	}
}

func TestPlainResponseIsReadVerbatim(t *testing.T) {
	supportchat.SetOperation(t, "GET /v1/text", supportchat.Operation{Plain: true})
	server := newServer(t, ok("a\x00b"))
	client, _ := newClient(t, server.URL)
	text, err := supportchat.CallWith[string](t.Context(), client, "GET", "/v1/text", nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, text, "a\x00b")
	bytes, err := supportchat.CallWith[[]byte](t.Context(), client, "GET", "/v1/text", nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, string(bytes), "a\x00b")
	equal(t, server.sent()[0].Header.Get("Accept"), "*/*")
}

func TestResultTypeDependsOnTheStatus(t *testing.T) {
	supportchat.SetOperation(t, "GET /v1/jobs", supportchat.Operation{Results: map[int]reflect.Type{
		200: reflect.TypeFor[*supportchat.Intent](), 202: reflect.TypeFor[[]string](), 0: reflect.TypeFor[string](),
	}})
	server := newServer(t, ok(`{"intent":"a"}`), response{status: 202, body: `["b"]`},
		response{status: 203, body: `"c"`}, response{status: 204}, response{status: 200, body: `5`}, response{status: 404})
	client, _ := newClient(t, server.URL)
	next := func() (any, error) { return supportchat.CallByStatus(t.Context(), client, "GET", "/v1/jobs") }

	model, _ := next()
	equal(t, model.(*supportchat.Intent).Intent, "a")
	list, _ := next()
	equalSlices(t, list.([]string), "b")
	text, _ := next()
	equal(t, text.(string), "c")
	nothing, err := next()
	equal(t, nothing, nil)
	equal(t, err, nil)
	var invalid *supportchat.InvalidResponseError
	if result, err := next(); result != nil || !errors.As(err, &invalid) {
		t.Error(result, err)
	}
	var notFound *supportchat.NotFoundError
	if result, err := next(); result != nil || !errors.As(err, &notFound) {
		t.Error(result, err)
	}
}

func TestOptionalResponseMayBeEmpty(t *testing.T) {
	for optional, fails := range map[bool]bool{true: false, false: true} {
		supportchat.SetOperation(t, "GET /v1/things", supportchat.Operation{Optional: optional})
		server := newServer(t, response{status: 202})
		client, _ := newClient(t, server.URL)
		result, err := supportchat.CallWith[[]string](t.Context(), client, "GET", "/v1/things", nil)
		equal(t, len(result), 0)
		equal(t, err != nil, fails)
	}
}

func TestResponseMayBeAListOfModels(t *testing.T) {
	server := newServer(t, ok(`[{"intent":"a","count":1,"x":2}]`))
	client, _ := newClient(t, server.URL)
	intents, err := supportchat.CallWith[[]supportchat.Intent](t.Context(), client, "GET", "/v1/intents", nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, intents[0].Intent, "a")
	equal(t, string(intents[0].Extra["x"]), "2")
}

func TestPathParametersMayBeListsAndObjects(t *testing.T) {
	type point struct {
		X     int64   `json:"x"`
		Y     *int64  `json:"y,omitzero"`
		Label *string `json:"label,omitzero"`
		supportchat.Extra
	}
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	path := []any{[]string{"1", "a,b"}, point{X: 1, Label: supportchat.Ptr("a b")}}
	err := client.Do(t.Context(), "GET", "/v1/things/{ids}/{at}", supportchat.DoParams{Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, server.sent()[0].URL, "/v1/things/1,a%2Cb/x,1,label,a%20b")
}

func TestParametersFollowTheirStyles(t *testing.T) {
	type point struct {
		X   int64   `json:"x"`
		Who *string `json:"who,omitzero"`
		supportchat.Extra
	}
	type params struct {
		IDs      []string          `query:"ids"`
		Joined   []int64           `query:"joined" style:"form"`
		Piped    []string          `query:"piped" style:"pipeDelimited"`
		Spaced   []string          `query:"spaced" style:"spaceDelimited"`
		Deep     point             `query:"deep" style:"deepObject"`
		Flat     point             `query:"flat"`
		Pairs    map[string]string `query:"pairs" style:"form"`
		Since    time.Time         `query:"since"`
		Ratio    float64           `query:"ratio"`
		Closed   *bool             `query:"closed"`
		Absent   *bool             `query:"absent"`
		Zero     int64             `query:"zero"`
		Required int64             `query:"required" required:"true"`
		Team     []string          `header:"X-Team"`
		Point    point             `header:"X-Point"`
		Flag     bool              `header:"X-Flag" required:"true"`
		None     string            `header:"X-None"`
	}
	server := newServer(t, ok(`{}`))
	client, _ := newClient(t, server.URL)
	_, err := supportchat.CallWith[any](t.Context(), client, "GET", "/v1/things", &params{
		IDs: []string{"a b", "c,d"}, Joined: []int64{1, 2}, Piped: []string{"a", "b|c"}, Spaced: []string{"a", "b"},
		Deep: point{Who: supportchat.Ptr("x y")}, Flat: point{X: 1},
		Pairs: map[string]string{"k": "v"}, Since: morning, Ratio: 0.5,
		Closed: supportchat.Ptr(false), Team: []string{"a", "b"}, Point: point{X: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	sent := server.sent()[0]
	equal(t, sent.URL, "/v1/things?ids=a%20b&ids=c%2Cd&joined=1,2&piped=a|b%7Cc&spaced=a%20b"+
		"&deep%5Bx%5D=0&deep%5Bwho%5D=x%20y&x=1&pairs=k,v&since=2026-03-06T10%3A00%3A00Z&ratio=0.5"+
		"&closed=false&required=0")
	equal(t, sent.Header.Get("X-Team"), "a,b")
	equal(t, sent.Header.Get("X-Point"), "x,2")
	equal(t, sent.Header.Get("X-Flag"), "false")
	if _, given := sent.Header["X-None"]; given {
		t.Error("an absent header is sent")
	}
}
