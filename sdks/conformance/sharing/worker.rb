# frozen_string_literal: true

# A store in a process of its own, as worker.ts is: worker.rb KIND URL NAME HOLDER.

require "pg"
require "redis"
require "sqlite3"
require "support_chat"

kind, url, name, holder = ARGV
store =
  case kind
  when "redis"
    SupportChat::Webhooks::RedisDedupeStore.new(Redis.new(url:), prefix: name, holder:)
  when "postgres"
    client = PG.connect("#{url}?options=-c%20client_min_messages%3Dwarning")
    SupportChat::Webhooks::PostgresDedupeStore.new(client, table: name, holder:)
  else
    client = SQLite3::Database.new(url).tap { |database| database.busy_timeout = 30_000 }
    SupportChat::Webhooks::SqliteDedupeStore.new(client, table: name, holder:)
  end

tokens = {}
answer = lambda do |act, id = ""|
  store.setup if act == "setup" && store.respond_to?(:setup)
  store.done(id, tokens[id].to_s) if act == "done"
  store.release(id, tokens[id].to_s) if act == "release"
  next "ok" unless act == "begin"

  lease = store.begin(id)
  tokens[id] = lease.token if lease.state == :new
  lease.state == :in_progress ? "in_progress #{lease.holder}" : lease.state
end

$stdout.sync = true
$stdin.each_line(chomp: true) do |line|
  puts answer.call(*line.split(" ", 2))
rescue StandardError => e
  puts "error #{e.message.tr("\n", ' ')}"
end
