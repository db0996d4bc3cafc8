def handle(event)
  return unless event.is_a?(Shop::EventUnionTagRenamedPaidEvent)

  case event.data.pay
  when Shop::EventUnionTagRenamedCard then event.data.pay.number
  else "other"
  end
end
