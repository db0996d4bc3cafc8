package caller

import (
	"context"

	"example.com/shop"
)

func Call(ctx context.Context, client *shop.Client) (any, error) {
	page, err := client.PaginationOptionalCursorRenamed.List(ctx, nil)
	if err != nil {
		return nil, err
	}
	return page.NextCursor, nil
}
