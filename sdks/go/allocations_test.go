package supportchat_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	supportchat "github.com/support-chat/support-chat/sdks/go"
)

const figures = `{"volume":12,"rate":0.5,"topics":[{"name":"refund","count":3}]}`

// immediate returns a client whose transport has the response at once.
func immediate(body string) *http.Client {
	header := http.Header{"Content-Type": {"application/json"}}
	return &http.Client{Transport: roundTripper(func(request *http.Request) (*http.Response, error) {
		return &http.Response{
			StatusCode: 200, Header: header, Request: request,
			Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)),
		}, nil
	})}
}

// getByHand does with net/http and encoding/json what a method of a service does: the same headers, a timeout, the
// complete body, the same fields.
func getByHand(t testing.TB, client *http.Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://api.test"+"/v1/figures", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/json, application/problem+json")
	request.Header.Set("User-Agent", "by hand")
	request.Header.Set("Authorization", "Bearer "+apiKey)
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		Volume int64   `json:"volume"`
		Rate   float64 `json:"rate"`
		Topics []struct {
			Name  string `json:"name"`
			Count int64  `json:"count"`
		} `json:"topics"`
	}
	if err := json.Unmarshal(body, &result); err != nil {
		t.Fatal(err)
	}
}

func TestSmallGetAllocatesNoMoreThanOneByHand(t *testing.T) {
	bare := immediate(figures)
	client, _ := newClient(t, "http://api.test", supportchat.WithHTTPClient(bare))
	byHand := testing.AllocsPerRun(500, func() { getByHand(t, bare) })
	ours := testing.AllocsPerRun(500, func() {
		if _, err := supportchat.Get[Figures](context.Background(), client, "/v1/figures"); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("by hand %v, ours %v", byHand, ours)
	if ours > byHand {
		t.Errorf("%v allocations, by hand %v", ours, byHand)
	}
}
