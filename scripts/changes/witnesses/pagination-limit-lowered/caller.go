package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	page, err := client.PaginationLimitLowered.List(ctx, &shop.PaginationLimitLoweredListParams{Limit: 50})
	if err != nil {
		return nil, err
	}
	ids := []string{}
	for _, order := range page.Data {
		ids = append(ids, order.ID)
	}
	return ids, nil
}
