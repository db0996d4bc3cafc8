def handle(event)
  event.data.note if event.is_a?(Shop::EventFieldBecameRequiredPaidEvent)
end
