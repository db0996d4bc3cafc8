package caller

import (
	"context"
	"time"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	order, err := client.RequestFieldFormatChanged.Create(ctx, shop.RequestFieldFormatChangedParams{Item: "cup", Due: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return nil, err
	}
	return order.ID, nil
}
