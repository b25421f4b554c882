import DocumentValues
import Foundation
import SeededRandom
import Testing

@testable import GatewayCore

/// Random histories of documents in conflict, beside a plain model that keeps every revision ever written.
///
/// `FIELDBOOK_HISTORIES` runs so many times as many.
@Suite(.timeLimit(.minutes(5))) struct RandomBranchTests {
    private static let factor = ProcessInfo.processInfo.environment["FIELDBOOK_HISTORIES"].flatMap { Int($0) } ?? 1

    @Test(arguments: 0..<4) func histories(part: Int) async throws {
        let count = 12 * Self.factor
        for seed in (part * count)..<((part + 1) * count) {
            try await TestDatabase.run(["allow_conflicts": true]) { test in
                var run = BranchRun(test: test, random: SeededGenerator(seed: UInt64(seed)))
                if let problem = try await run.problem() { Issue.record("seed \(seed): \(problem)") }
            }
        }
    }
}

/// The simplest form of a document.
struct ModelDocument {
    struct Revision {
        var parent: String?
        var isDeleted: Bool
        var value: Int
        var channels: Set<String>
        var files: Set<String>
        /// The revision was written here, and not only named in a history.
        var isWritten: Bool
    }

    var revisions: [String: Revision] = [:]

    var leaves: [String] {
        let parents = Set(revisions.values.compactMap(\.parent))
        return revisions.keys.filter { !parents.contains($0) }.sorted()
    }

    var winner: String? {
        leaves.max { left, right in
            let (one, two) = (revisions[left]!, revisions[right]!)
            if one.isDeleted != two.isDeleted { return one.isDeleted }
            let (first, second) = (Self.generation(left), Self.generation(right))
            return first == second ? left < right : first < second
        }
    }

    static func generation(_ revision: String) -> Int { Int(revision.prefix { $0 != "-" }) ?? 0 }

    func ancestors(of revision: String) -> [String] {
        var list: [String] = []
        var next = revisions[revision]?.parent
        while let parent = next {
            list.append(parent)
            next = revisions[parent]?.parent
        }
        return list
    }

    var files: Set<String> { leaves.reduce(into: []) { $0.formUnion(revisions[$1]!.files) } }
}

private struct BranchRun {
    let test: TestDatabase
    var random: SeededGenerator
    var documents: [String: ModelDocument] = [:]
    var written = 0
    /// The documents of ann's client, which it knows only from the feed.
    var client: [String: String] = [:]
    var since = SequenceID.zero

    private static let ann = Requester.user("ann")
    private static let names = ["a", "b"]

    mutating func problem() async throws -> String? {
        try await test.putUser("ann", channels: ["north"])
        for step in 0..<40 {
            let id = Self.names[random.number(below: Self.names.count)]
            let operation = try await change(id)
            if let problem = try await difference(id) { return "step \(step), \(operation) of \(id): \(problem)" }
            if random.number(below: 3) == 0 {
                try await pull()
                if let problem = clientDifference() { return "step \(step): \(problem)" }
            }
        }
        return nil
    }

    // MARK: - Changes

    private mutating func change(_ id: String) async throws -> String {
        let model = documents[id] ?? ModelDocument()
        switch random.number(below: 20) {
        case 0 where !model.revisions.isEmpty:
            _ = try await test.database.documents.purge([id], in: TestDatabase.collection)
            documents[id] = nil
            // A purge does not notify clients.
            client[id] = nil
            return "purge"
        case 1..<5 where !model.revisions.isEmpty:
            let leaf = model.leaves[random.number(below: model.leaves.count)]
            let revision = revision(isDeleted: random.number(below: 3) == 0, parent: leaf, model)
            let outcome = try await test.put(id, body(revision), replacing: leaf)
            documents[id, default: ModelDocument()].revisions[outcome.revision.description] = revision
            return "edit of \(leaf)"
        default: return try await push(id, model)
        }
    }

    private mutating func push(_ id: String, _ model: ModelDocument) async throws -> String {
        let known = model.revisions.keys.sorted()
        var parent: String?
        if !known.isEmpty, random.number(below: 8) > 0 {
            let leaves = model.leaves
            parent =
                random.number(below: 3) > 0
                ? leaves[random.number(below: leaves.count)] : known[random.number(below: known.count)]
        }
        var added = model
        // One or two generations at once; the first is only named.
        var generation = parent.map { ModelDocument.generation($0) } ?? 0
        for isLast in random.number(below: 4) == 0 ? [false, true] : [true] {
            generation += 1
            written += 1
            let name = "\(generation)-\(String(random.next() % 4096, radix: 16))\(written)"
            var revision = revision(isDeleted: isLast && random.number(below: 3) == 0, parent: parent, added)
            if !isLast { revision.isWritten = false }
            added.revisions[name] = revision
            parent = name
        }
        let name = parent!
        let revision = added.revisions[name]!
        try await test.push(id, name, added.ancestors(of: name), body(revision), isDeleted: revision.isDeleted)
        documents[id] = added
        return "push of \(name) after \(revision.parent ?? "nothing")"
    }

    private mutating func revision(
        isDeleted: Bool, parent: String?, _ model: ModelDocument
    ) -> ModelDocument.Revision {
        written += 1
        return ModelDocument.Revision(
            parent: parent, isDeleted: isDeleted, value: written, channels: random.some(["north", "south"]),
            files: isDeleted ? [] : random.some(["one", "two", "three"]), isWritten: true)
    }

    private func body(_ revision: ModelDocument.Revision) -> JSONValue {
        var body: JSONObject = ["v": .int(revision.value)]
        body["channels"] = .array(revision.channels.sorted().map { .string($0) })
        body["access"] = ["ann": .array(revision.channels.sorted().map { .string("by-\($0)") })]
        if revision.isDeleted { body["_deleted"] = true }
        let files = revision.files.sorted().map { name in
            JSONObject.Member(key: name, value: ["data": .string(Base64.encode(Array(name.utf8)))])
        }
        if !files.isEmpty { body["_attachments"] = .object(JSONObject(members: files)) }
        return .object(body)
    }

    // MARK: - Comparing

    private func difference(_ id: String) async throws -> String? {
        guard let model = documents[id], let winner = model.winner, let current = model.revisions[winner] else {
            return try await test.body(id) == "404" ? nil : "it is still there"
        }
        let details = try await test.details(id)
        guard details.revision.revision.description == winner else {
            return "\(details.revision.revision) is current, not \(winner)"
        }
        guard Set(details.current.keys.map(\.text)) == current.channels else {
            return "it is in \(details.current.keys)"
        }
        let leaves = Set(details.tree.leaves.map(\.revision.description))
        guard leaves == Set(model.leaves) else { return "leaves \(leaves), not \(model.leaves)" }
        for (requester, sees) in [(Requester.admin, nil), (Self.ann, Set(["north"]))] as [(Requester, Set<String>?)] {
            let open = try await test.openRevisions(of: id, as: requester)
            guard open.count == leaves.count else { return "\(open.count) open revisions" }
            for revision in open {
                if let problem = difference(revision, model, sees) { return problem }
            }
        }
        let contents = try await test.database.documents.storedAttachments(
            Set(["one", "two", "three"].map { BlobDigest(of: Array($0.utf8)) }), of: id, in: TestDatabase.collection)
        guard contents == Set(model.files.map { BlobDigest(of: Array($0.utf8)) }) else { return "files \(contents)" }
        return try await grantDifference()
    }

    private func difference(_ open: OpenRevision, _ model: ModelDocument, _ sees: Set<String>?) -> String? {
        guard case .found(let found) = open, let revision = model.revisions[found.revision.description] else {
            return "\(open)"
        }
        guard found.isDeleted == revision.isDeleted else { return "\(found.revision) deleted: \(found.isDeleted)" }
        let isVisible = sees.map { !$0.isDisjoint(with: revision.channels) } ?? true
        guard found.isRedacted != isVisible else { return "\(found.revision) redacted: \(found.isRedacted)" }
        guard isVisible else { return nil }
        let value = (try? JSONObject(parsing: found.body))?["v"]?.integerValue
        guard value == Int64(revision.value), Set(found.attachments?.object.keys ?? []) == revision.files else {
            return "\(found.revision) has \(String(decoding: found.body, as: UTF8.self))"
        }
        let history = found.history.ancestors.map(\.description)
        return history == model.ancestors(of: found.revision.description) ? nil : "history \(history)"
    }

    private func grantDifference() async throws -> String? {
        var granted: Set<String> = ["north"]
        for model in documents.values {
            guard let winner = model.winner, let revision = model.revisions[winner] else { continue }
            for channel in revision.channels { granted.insert("by-\(channel)") }
        }
        let held = try await test.channels(of: "ann")
        return held == granted ? nil : "ann has \(held), not \(granted)"
    }

    private mutating func pull() async throws {
        let request = ChangesRequest(collection: TestDatabase.collection, since: since, revocations: true)
        for row in try await test.changes(request, as: Self.ann) {
            since = SequenceID(parsing: row.sequence.description)!
            let isLost = row.isDeleted || row.isRevoked || (row.isRemovedFromAll && !row.isVisibleOtherwise)
            client[row.id] = isLost ? nil : row.revision?.description
        }
    }

    private func clientDifference() -> String? {
        var expected: [String: String] = [:]
        for (id, model) in documents {
            guard let winner = model.winner, let revision = model.revisions[winner], !revision.isDeleted,
                revision.channels.contains("north")
            else { continue }
            expected[id] = winner
        }
        return client == expected ? nil : "ann's client has \(client), not \(expected)"
    }
}
