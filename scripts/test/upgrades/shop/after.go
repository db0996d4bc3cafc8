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
	order, err := s.client.Orders.Fetch(ctx, id)
	if err != nil {
		return nil, err
	}
	params := &shop.OrderListParams{Language: "de"}
	params.Language = "en"
	for one, err := range s.client.Orders.All(ctx, params) {
		if err != nil {
			return nil, err
		}
		for _, line := range one.Lines {
			print(line.Cost)
		}
		print(one.State)
	}
	page, err := s.client.Orders.List(ctx, &shop.OrderListParams{
		Language: "de",
	})
	if err != nil {
		return nil, err
	}
	_, err = s.client.Orders.Create(ctx, shop.OrderParams{Item: "cup", Gift: &shop.Gift{Words: "Hello"}})
	if err != nil {
		return nil, err
	}
	_, err = s.client.Orders.Remarks.Add(ctx, id, shop.NoteParams{Text: "x"})
	return []any{order.State, page.Data[0].State, order.Lines[0].Cost, label}, err
}

func typed(line shop.OrderLine, lines []shop.OrderLine, bill *shop.Order, row store.Line) int64 {
	return line.Cost + int64(len(lines)) + int64(len(bill.State)) + row.Price
}

func handle(event shop.Event) any {
	switch event := event.(type) {
	case *shop.OrderPaidEvent:
		return event.Data.Amount
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

func aliased(ctx context.Context, client *sh.Client, bill *sh.Order, row *store.Order, id string) []sh.OrderLine {
	order, _ := client.Orders.Fetch(ctx, id)
	lines := []sh.OrderLine{sh.OrderLine{Cost: 2}}
	print(order.State, bill.State, row.Status)
	return lines
}
