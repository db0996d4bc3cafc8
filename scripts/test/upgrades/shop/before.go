package caller

import (
	"context"

	"example.com/shop"
	sh "example.com/shop"
	"example.com/store"
)

// Status of Orders.Get stays in a comment, and in a text.
const label = "order.Status of client.Orders.Get"

type server struct{ client *shop.Client }

func (s *server) hit(ctx context.Context, id string) (any, error) {
	order, err := s.client.Orders.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	params := &shop.OrderListParams{Lang: "de"}
	params.Lang = "en"
	for one, err := range s.client.Orders.All(ctx, params) {
		if err != nil {
			return nil, err
		}
		for _, line := range one.Lines {
			print(line.Price)
		}
		print(one.Status)
	}
	page, err := s.client.Orders.List(ctx, &shop.OrderListParams{
		Lang: "de",
	})
	if err != nil {
		return nil, err
	}
	_, err = s.client.Orders.Create(ctx, shop.OrderParams{Item: "cup", Gift: &shop.Gift{Wish: "Hello"}})
	if err != nil {
		return nil, err
	}
	_, err = s.client.Orders.Notes.Create(ctx, id, shop.NoteParams{Text: "x"})
	return []any{order.Status, page.Data[0].Status, order.Lines[0].Price, label}, err
}

func typed(line shop.Line, lines []shop.Line, bill *shop.Order, row store.Line) int64 {
	return line.Price + int64(len(lines)) + int64(len(bill.Status)) + row.Price
}

func handle(event shop.Event) any {
	switch event := event.(type) {
	case *shop.OrderPaidEvent:
		return event.Data.Total
	case *store.Invoice:
		return event.Data.Total
	}
	return nil
}

func foreign(ctx context.Context, db *store.DB, id string) any {
	order := db.Orders.Find(ctx, id)
	other := store.Gift{Wish: "x"}
	rows := []store.Order{{Status: "open"}}
	return []any{order.Status, other.Wish, rows[0].Status}
}

func aliased(ctx context.Context, client *sh.Client, bill *sh.Order, row *store.Order, id string) []sh.Line {
	order, _ := client.Orders.Get(ctx, id)
	lines := []sh.Line{sh.Line{Price: 2}}
	print(order.Status, bill.Status, row.Status)
	return lines
}
