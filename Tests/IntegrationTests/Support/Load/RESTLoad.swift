import DocumentValues
import Foundation
import SeededRandom
import Synchronization

/// What a client over REST does to a gateway that may be killed at any time.
final class RESTLoad: Sendable {
    private struct State {
        var chance: SeededGenerator
        var made = 0
        /// Documents whose current revision is known.
        var current: [LoadRecord.Acknowledged] = []
        var since = UInt64(0)
    }

    static let path = "/db.\(Gateway.collection)/"

    private let name: String
    private let port: Int
    private let record: LoadRecord
    private let state: Mutex<State>

    init(_ name: String, port: Int, record: LoadRecord, seed: UInt64) {
        self.name = name
        self.port = port
        self.record = record
        state = Mutex(State(chance: SeededGenerator(seed: seed)))
    }

    // MARK: - Writing

    /// One request: a new document, with an attachment or not, a new revision, or many documents.
    func write() -> Bool {
        let kind = state.withLock { $0.chance.number(below: 10) }
        return switch kind {
        case 0: putMany()
        case 1...4: putRevision()
        case 5: put(newID(), attachment: String(repeating: "\(name) ", count: 40_000))
        default: put(newID())
        }
    }

    private func newID() -> String {
        state.withLock {
            $0.made += 1
            return "\(name)-\($0.made)"
        }
    }

    private func put(_ id: String, attachment: String? = nil) -> Bool {
        var body: JSONObject = ["channels": ["north"], "by": .string(name)]
        if let attachment {
            body["_attachments"] = ["text": ["data": .string(Base64.encode(Array(attachment.utf8)))]]
        }
        return written(answer("PUT", Self.path + id, .object(body)), id)
    }

    private func putRevision() -> Bool {
        let last = state.withLock { state -> LoadRecord.Acknowledged? in
            guard !state.current.isEmpty else { return nil }
            // Without an answer nobody knows which revision is current: it is left alone from then on.
            return state.current.remove(at: state.chance.number(below: state.current.count))
        }
        guard let last else { return put(newID()) }
        let body: JSONValue = ["channels": ["north"], "_rev": .string(last.revision)]
        return written(answer("PUT", Self.path + last.id, body), last.id)
    }

    private func putMany() -> Bool {
        let documents = (0..<20).map { _ in JSONValue.object(["_id": .string(newID()), "channels": ["north"]]) }
        guard let answer = answer("POST", Self.path + "_bulk_docs", ["docs": .array(documents)]) else { return false }
        let rows = answer.json?.arrayValue ?? []
        if rows.count != documents.count { record.report("_bulk_docs: \(answer.status) \(answer.text)") }
        record.acknowledge(
            rows.compactMap { row in
                guard let id = row["id"]?.stringValue, let revision = row["rev"]?.stringValue else { return nil }
                return .init(id: id, revision: revision)
            })
        return true
    }

    private func written(_ answer: Answer?, _ id: String) -> Bool {
        guard let answer else { return false }
        guard answer.status == 201, let revision = answer.json?["rev"]?.stringValue else {
            record.report("PUT \(id): \(answer.status) \(answer.text)")
            return true
        }
        let write = LoadRecord.Acknowledged(id: id, revision: revision)
        record.acknowledge([write])
        state.withLock { $0.current.append(write) }
        return true
    }

    // MARK: - Following

    /// One long poll, from where the last one ended.
    func follow() -> Bool {
        let since = state.withLock { $0.since }
        let path = "\(Self.path)_changes?feed=longpoll&timeout=1000&limit=200&since=\(since)"
        guard let answer = answer("GET", path, nil), let body = answer.json else { return false }
        var last = since
        for row in body["results"]?.arrayValue ?? [] {
            guard let sequence = row["seq"]?.integerValue.map(UInt64.init), let id = row["id"]?.stringValue,
                let revision = row["changes"]?.arrayValue?.first?["rev"]?.stringValue
            else { continue }
            if sequence <= last { record.report("sequence \(sequence) came behind \(last)") }
            last = sequence
            record.see(.init(sequence: sequence, revision: revision), of: id)
        }
        state.withLock { $0.since = last }
        return true
    }

    // MARK: - Requests

    private struct Answer {
        let status: Int
        let body: Data

        var json: JSONValue? { try? JSONValue(parsing: Array(body)) }
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// `nil` if the connection failed or the answer is not whole.
    private func answer(_ method: String, _ path: String, _ body: JSONValue?) -> Answer? {
        let credentials = Base64.encode(Array("rita:secret".utf8))
        let headers = [("Content-Type", "application/json"), ("Authorization", "Basic \(credentials)")]
        let answer = try? HTTP.request(
            method, url: "http://127.0.0.1:\(port)\(path)", headers: headers, body: body.map { Data($0.bytes) })
        return answer.map { Answer(status: $0.status, body: $0.body) }
    }
}
