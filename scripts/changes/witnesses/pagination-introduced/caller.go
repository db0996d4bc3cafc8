package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	page, err := client.PaginationIntroduced.List(ctx, nil)
	if err != nil {
		return nil, err
	}
	var value *shop.PaginationIntroducedPage = page
	return value.NextCursor, nil
}
