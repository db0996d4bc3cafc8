def handle(event)
  event.data.total if event.is_a?(Shop::EventFieldRenamedKeptPaidEvent)
end
