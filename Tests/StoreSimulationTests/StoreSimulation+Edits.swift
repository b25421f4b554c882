import DocumentValues
import SeededRandom

/// Somebody changes a document, here or there.
extension StoreSimulation {
    func someEdit() async {
        guard let id = random.pick(Self.documents), let channel = random.pick(Self.channels),
            let client = random.pick(clients)
        else { return }
        let key = DocumentKey(collection: Int.random(in: 0..<names.count, using: &random), id: id)
        counter += 1
        let body = body(channel)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30:
            note("an administrator edits \(key)")
            await gateway.edit(key, body: .object(body))
        case 30..<38:
            guard await gateway.details(key) != nil else { return }
            note("an administrator deletes \(key)")
            await gateway.edit(key, body: ["_deleted": true])
        case 38..<50:
            note("\(client.user) deletes \(key)")
            client.delete(key)
        case 50..<55:
            note("\(client.user) purges \(key)")
            client.purge(key)
        default:
            note("\(client.user) saves \(key)")
            let photo = random.chance(20) ? Array("photo \(Int.random(in: 0..<4, using: &random))".utf8) : nil
            client.save(key, json: JSONValue.object(body).description, photo: photo)
        }
        collectAll()
    }

    func collectAll() {
        for client in clients {
            do { try collect(client) } catch { ownProblems.append("\(error)") }
        }
    }

    /// Some are longer than a frame, and cannot be made shorter.
    func body(_ channel: String) -> JSONObject {
        var body: JSONObject = ["c": .string(channel), "n": .number(JSONNumber(UInt64(counter)))]
        if usesDeltas {
            body["lines"] = .array(
                (0..<6).map { .string($0 == counter % 6 ? "looked after \(counter) times" : "\($0): nothing that day") }
            )
        }
        if random.chance(10) {
            body["noise"] = .string((0..<1_500).map { _ in String(random.next(), radix: 36) }.joined())
        }
        return body
    }
}
