def handle(event)
  return unless event.is_a?(Shop::EventUnionTagValueChangedPaidEvent)

  case event.data.pay
  when Shop::EventUnionTagValueChangedCard then event.data.pay.number
  else "other"
  end
end
