package runs_test

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	bodies "github.com/sample-service/sample-service/sdks/go/bodies"
	dates "github.com/sample-service/sample-service/sdks/go/dates"
	marks "github.com/sample-service/sample-service/sdks/go/marks"
	parameters "github.com/sample-service/sample-service/sdks/go/parameters"
	statuses "github.com/sample-service/sample-service/sdks/go/statuses"
	styles "github.com/sample-service/sample-service/sdks/go/styles"
	uploads "github.com/sample-service/sample-service/sdks/go/uploads"
)

func TestParametersAreWrittenInTheirStyles(t *testing.T) {
	wire, http := newWire(t, ok("1.5"))
	client := must(styles.NewClient(styles.WithBaseURL(baseURL), styles.WithHTTPClient(http)))(t)
	point := styles.Point{X: 1, Y: -2}
	number := must(client.Points.Between.Get(t.Context(), point, []string{"a", "b,c"}, styles.PointBetweenGetParams{
		Form: point, Joined: point, Deep: map[string]string{"k": "v"},
		Repeated: []styles.PointBetweenGetRepeatedItem{"a", "new"},
		Commas:   []int64{1, 2}, Spaces: []string{"a", "b"}, Pipes: []bool{true, false},
		Either: styles.PointBetweenGetEitherOfStringList([]string{"p", "q"}),
		XIDs:   []int64{1, 2}, XPoint: point, XMode: styles.PointBetweenGetXModeFast,
	}))(t)
	equal(t, number, 1.5)
	sent := wire.last()
	equal(t, sent.target, "/points/x,1,y,-2/between/a,b%2Cc?x=1&y=-2&joined=x,1,y,-2&deep%5Bk%5D=v"+
		"&repeated=a&repeated=new&commas=1,2&spaces=a%20b&pipes=true|false&either=p&either=q")
	for name, want := range map[string]string{
		"X-Flag": "false", "X-Ids": "1,2", "X-Point": "x,1,y,-2", "X-Mode": "fast",
	} {
		equal(t, sent.header.Get(name), want)
	}
}

func TestTimesAreWrittenEverywhere(t *testing.T) {
	wire, http := newWire(t, ok(`[{"day":"2026-03-02","at":"2026-03-02T09:14:00Z"}]`), ok(`"2026-03-02T09:14:00Z"`))
	client := must(dates.NewClient(dates.WithBaseURL(baseURL), dates.WithHTTPClient(http)))(t)
	at := time.Date(2026, 3, 2, 9, 14, 0, 0, time.UTC)
	events := must(client.Days.Events.List(t.Context(), "2026-03-02", dates.DayEventListParams{
		After: at, On: []string{"2026-03-02"}, IfModifiedSince: at,
	}))(t)
	equal(t, events[0].At, at)
	equal(t, wire.last().target, "/days/2026-03-02/events?after=2026-03-02T09%3A14%3A00Z&on=2026-03-02")
	made := must(client.Days.Events.Create(t.Context(), "2026-03-02", dates.CalendarEvent{Day: "2026-03-02", At: at}))(t)
	equal(t, made, at)
	equalJSON(t, wire.last().body, `{"day":"2026-03-02","at":"2026-03-02T09:14:00Z"}`)
}

func TestFilesAreUploadedBesideFields(t *testing.T) {
	wire, http := newWire(t, reply{status: 201, body: `{"count":3}`})
	client := must(uploads.NewClient(uploads.WithBaseURL(baseURL), uploads.WithHTTPClient(http)))(t)
	made := must(client.Albums.Pictures.Create(t.Context(), "a", uploads.AlbumPictureCreateBody{
		Cover: uploads.File{Content: []byte{0, 255}},
		More:  []uploads.File{{Name: "two.png", ContentType: "image/png", Content: []byte("two")}},
		Title: uploads.Ptr("Höhe"), Rank: uploads.Ptr[int64](0), Public: uploads.Ptr(false),
		Taken: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC), Tags: []string{"x", "y"},
		Kind: uploads.AlbumPictureCreateBodyKindPrint,
	}))(t)
	equal(t, *made.Count, int64(3))
	equal(t, parts(t, wire.last()), []string{
		"cover||application/octet-stream|\x00\xff", "kind|||print", "more|two.png|image/png|two",
		"public|||false", "rank|||0", "tags|||x", "tags|||y", "taken|||2026-03-02T00:00:00Z", "title|||Höhe",
	})
}

// parts returns name, file name, media type and content of each part of a form.
func parts(t *testing.T, sent request) (all []string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(sent.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	reader := multipart.NewReader(strings.NewReader(sent.body), params["boundary"])
	for part, err := reader.NextPart(); err == nil; part, err = reader.NextPart() {
		content, _ := io.ReadAll(part)
		about := []string{part.FormName(), part.FileName(), part.Header.Get("Content-Type"), string(content)}
		all = append(all, strings.Join(about, "|"))
	}
	return all
}

func TestBytesTextAndFormsTravelAsTheyAre(t *testing.T) {
	wire, http := newWire(t, reply{status: 204}, ok("\x00\xff"), ok("é"), reply{status: 202})
	client := must(uploads.NewClient(uploads.WithBaseURL(baseURL), uploads.WithHTTPClient(http)))(t)
	if err := client.Logo.Replace(t.Context(), []byte{0, 255}); err != nil {
		t.Fatal(err)
	}
	equal(t, wire.last().body, "\x00\xff")
	equal(t, wire.last().header.Get("Content-Type"), "image/png")
	equal(t, must(client.Logo.Get(t.Context()))(t), []byte{0, 255})
	equal(t, must(client.Notes.Create(t.Context(), "é"))(t), "é")
	equal(t, wire.last().body, "é")
	equal(t, must(client.Notes.Create(t.Context(), "é"))(t), "")
}

func TestAFormIsAnsweredInTheTypeOfTheStatus(t *testing.T) {
	wire, http := newWire(t, ok(`{"id":"1"}`), reply{status: 201, body: `{"token":"t"}`})
	client := must(bodies.NewClient(bodies.WithBaseURL(baseURL), bodies.WithHTTPClient(http)))(t)
	known := must(client.Sessions.Create(t.Context(), bodies.SessionCreateBody{User: "a b&c"}))(t)
	equal(t, wire.last().body, "user=a%20b%26c")
	equal(t, known.(*bodies.SessionCreateResponse200).ID, "1")
	fresh := must(client.Sessions.Create(t.Context(), bodies.SessionCreateBody{User: "a"}))(t)
	equal(t, fresh.(*bodies.SessionCreateResponse201).Token, "t")
}

func TestEachStatusGivesWhatItStandsFor(t *testing.T) {
	wire, http := newWire(t, reply{status: 202, body: `{"progress":0.5}`}, reply{status: 201, body: `{"value":"new"}`},
		reply{status: 204}, reply{status: 202}, reply{status: 200, header: map[string]string{"ETag": "1"}},
		reply{status: 404, body: `{"code":"gone"}`}, ok(""))
	client := must(statuses.NewClient(statuses.WithBaseURL(baseURL), statuses.WithHTTPClient(http)))(t)
	later := must(client.Jobs.Get(t.Context(), "1"))(t)
	equal(t, later.(*statuses.JobGetResponse202).Progress, 0.5)
	equal(t, must(client.Jobs.Replace(t.Context(), "1"))(t).Value, "new")
	equal(t, must(client.Jobs.Replace(t.Context(), "1"))(t).Value, "")
	for _, call := range []func() error{
		func() error { return client.Jobs.Delete(t.Context(), "1") },
		func() error { return client.Jobs.Check(t.Context(), "1") },
	} {
		if err := call(); err != nil {
			t.Fatal(err)
		}
	}
	equal(t, wire.last().method, "HEAD")
	var notFound *statuses.NotFoundError
	if _, err := client.Jobs.Get(t.Context(), "1"); !errors.As(err, &notFound) || notFound.Code != "gone" {
		t.Error(err)
	}
	var invalid *statuses.InvalidResponseError
	if _, err := client.Jobs.Get(t.Context(), "1"); !errors.As(err, &invalid) {
		t.Error(err)
	}
}

func TestASuccessWithoutContentIsZeroWhereOneIsAnnounced(t *testing.T) {
	wire, http := newWire(t, ok(`"text"`), reply{status: 202})
	client := must(parameters.NewClient(parameters.WithBaseURL(baseURL), parameters.WithHTTPClient(http)))(t)
	params := parameters.RoomSeatUpdateParams{IfMatch: "*"}
	body := &parameters.RoomSeatUpdateBody{Row: parameters.Null[int64]()}
	equal(t, must(client.Rooms.Seats.Update(t.Context(), []string{"a", "b"}, 1, body, params))(t), "text")
	equal(t, wire.last().target, "/v2/rooms/a,b/seats/1")
	equal(t, wire.last().body, `{"row":null}`)
	equal(t, must(client.Rooms.Seats.Update(t.Context(), []string{"a"}, 1, nil, params))(t), "")
	equal(t, wire.last().header.Get("If-Match"), "*")
}

func TestPagesAreReadByTheFieldsThatTheContractNames(t *testing.T) {
	wire, http := newWire(t, ok(`{"items":[{"id":"1"}],"next":"n"}`), ok(`{"items":[{"id":"2"}],"next":null}`))
	client := must(marks.NewClient(marks.WithBaseURL(baseURL), marks.WithHTTPClient(http), marks.WithAPIKey("k")))(t)
	var ids []string
	for item, err := range client.Items.All(t.Context(), &marks.ItemListParams{After: "a"}) {
		ids = append(ids, must(item, err)(t).ID)
	}
	equal(t, ids, []string{"1", "2"})
	equal(t, []string{wire.requests[0].target, wire.last().target}, []string{"/v1/items?after=a", "/v1/items?after=n"})
	equal(t, wire.last().header.Get("X-Api-Key"), "k")
}

func TestAPublishedIdempotencyKeyMakesARequestRepeatable(t *testing.T) {
	busy := reply{status: 503, header: map[string]string{"Retry-After-Ms": "1"}}
	wire, http := newWire(t, busy, reply{status: 201, body: `{"id":"1"}`}, busy)
	client := must(marks.NewClient(marks.WithBaseURL(baseURL), marks.WithHTTPClient(http), marks.WithAPIKey("k")))(t)
	must(client.Items.Create(t.Context(), marks.Item{ID: "1"}))(t)
	equal(t, len(wire.requests), 2)
	key := wire.requests[0].header["Idempotency-Key"]
	equal(t, len(key), 1)
	equal(t, wire.requests[1].header["Idempotency-Key"], key)

	var server *marks.ServerError
	if _, err := client.Items.Copy(t.Context(), "1"); !errors.As(err, &server) {
		t.Error(err)
	}
	equal(t, len(wire.requests), 3)
}
