import DocumentValues
import FieldModels
import SeededRandom
import SyncFunction

@testable import FieldRecords
@testable import GatewayServer

/// Five laptops at work on one inspection or one assignment, that merge as laptops do, and a gateway that takes what the
/// field's sync function takes. Everybody does only what the shell lets them do.
struct MergingLaptops {
    struct Laptop {
        let user: SyncFunctionUser
        let device: String
        /// Clocks differ.
        var clock: Int64
        var known = 0
        var base: JSONObject?
        var body: JSONObject?
        var isChanged = false

        var name: String { user.name.text }
        var isSupervisor: Bool { user.roles.contains(Name("supervisor")) }

        mutating func author() -> Author {
            clock += 1
            return Author(name: name, moment: Timestamp(secondsSince1970: 1_772_600_000 + clock), device: device)
        }
    }

    private static let channels: Set<Name> = ["district.hill", "district.mill", "!"]
    /// Two on each side of a border.
    private static let sites = [("s1", "hill"), ("s2", "hill"), ("s3", "mill"), ("s4", "mill")]

    private let kind: RecordKind
    private let function = SyncFunctionSource(FieldSchema.syncFunction)
    private let pool: SyncFunctionPool
    var random: SeededGenerator
    var laptops: [Laptop] = []
    private var head: JSONObject?
    private var revision = 1
    private var history: [String] = []
    /// What the gateway did not take, with what was done before.
    private(set) var refusals: [String] = []

    init(seed: UInt64, pool: SyncFunctionPool, kind: RecordKind = .inspection) {
        self.pool = pool
        self.kind = kind
        random = SeededGenerator(seed: seed)
        let head = kind == .assignment ? Self.assignment : Self.inspection
        self.head = head
        let people = [
            ("mara", "inspector"), ("tomas", "inspector"), ("ines", "supervisor"), ("mara", "inspector"),
            ("olga", "supervisor"),
        ]
        laptops = people.enumerated().map { number, person in
            Laptop(
                user: SyncFunctionUser(name: Name(person.0), roles: [Name(person.1)], channels: Self.channels),
                device: "d\(number)", clock: Int64(1_000 * number), known: 1, base: head, body: head)
        }
    }

    private static let inspection: JSONObject = [
        "type": "inspection", "schema": 1, "site": "s1", "date": "2026-03-04", "status": "draft", "district": "hill",
        "channels": ["district.hill"], "createdBy": "mara", "createdAt": "2026-03-04T08:00:00Z", "inspector": "mara",
        "device": "d0",
    ]

    mutating func run(steps: Int) async throws {
        for step in 0..<steps {
            let laptop = random.number(below: laptops.count)
            if random.number(below: 4) == 0 {
                try await sync(laptop, isCut: random.number(below: 6) == 0)
            } else {
                try work(laptop, step)
            }
        }
    }

    // MARK: Working

    private mutating func work(_ number: Int, _ step: Int) throws {
        guard let body = laptops[number].body else { return }
        if kind == .assignment { return workOnAssignment(number, step, body) }
        if body[ContestedValues.member] != nil, random.number(below: 4) == 0 { return decide(number) }
        let isColleague = laptops[number].name.isExactly("tomas")
        switch (Self.status(body)?.isOpen == true, random.number(below: 8)) {
        case (true, 0): edit(number, "score") { $0["score"] = .int(step) }
        case (true, 1): edit(number, "notes") { $0["notes"] = .string("note \(step)") }
        case (true, 2): edit(number, "answer") { $0["answers"] = ["fridge": .int(step)] }
        case (true, 3) where !isColleague: move(number)
        case (true, 4):
            edit(number, "submit") { body in
                body["status"] = "submitted"
                body["submittedAt"] = body["changedAt"]
            }
        case (true, 5): attach(number, step)
        case (true, 6): rename(number, step)
        case (true, 7) where !isColleague && random.number(below: 4) == 0: delete(number)
        case (false, _) where laptops[number].isSupervisor && Self.status(body) == .submitted: try review(number, step)
        default: break
        }
    }

    private static func status(_ body: JSONObject) -> Inspection.Status? {
        body["status"]?.stringValue.flatMap(Inspection.Status.init(rawValue:))
    }

    mutating func edit(_ number: Int, _ what: String, _ change: (inout JSONObject) -> Void) {
        guard let before = laptops[number].body else { return }
        var after = before
        laptops[number].author().stamp(&after)
        change(&after)
        ContestedValues.afterEdit(from: before, to: after).write(to: &after)
        FieldChanges.afterEdit(from: before, to: after, of: kind).write(to: &after)
        keep(after, on: number, what)
    }

    mutating func keep(_ body: JSONObject?, on number: Int, _ what: String) {
        laptops[number].body = body
        laptops[number].isChanged = true
        history.append("\(laptops[number].name) on \(laptops[number].device): \(what)")
    }

    private mutating func move(_ number: Int) {
        let (site, district) = Self.sites[random.number(below: Self.sites.count)]
        edit(number, "site \(site)") { body in
            let old = body["district"]?.stringValue ?? ""
            let left = ["district.\(old)", "district.\(district)"]
            let others = (body["channels"]?.arrayValue ?? []).filter { !left.containsExactly($0.stringValue ?? "") }
            body["site"] = .string(site)
            body["district"] = .string(district)
            body["channels"] = .array([.string("district.\(district)")] + others)
        }
    }

    private mutating func attach(_ number: Int, _ step: Int) {
        let mark = String(String(step).reversed())
        let digest = "sha1-" + String(repeating: "A", count: 26 - mark.utf8.count) + mark + "A="
        edit(number, "photo \(step)") { body in
            let photo: JSONValue = [
                "name": .string("door\(step % 3).jpg"), "attachedAt": body["changedAt"] ?? .null,
                "blob": ["@type": "blob", "digest": .string(digest)],
            ]
            body["photos"] = PhotoNames.unique(.array((body["photos"]?.arrayValue ?? []) + [photo]))
        }
    }

    /// Or removes it.
    private mutating func rename(_ number: Int, _ step: Int) {
        guard var photos = laptops[number].body?["photos"]?.arrayValue, !photos.isEmpty else { return }
        let index = random.number(below: photos.count)
        if random.number(below: 3) == 0 {
            photos.remove(at: index)
        } else if var photo = photos[index].objectValue {
            photo["caption"] = .string("caption \(step)")
            photos[index] = .object(photo)
        }
        edit(number, "photos") { $0["photos"] = .array(photos) }
    }

    private mutating func delete(_ number: Int) { keep(nil, on: number, "delete") }

    private mutating func review(_ number: Int, _ step: Int) throws {
        guard let body = laptops[number].body else { return }
        let isApproval = random.number(below: 2) == 0
        let photos = try Inspection(id: "i", object: body).photos.map {
            JSONValue.string(ApprovedPhotos.digest(of: $0))
        }
        edit(number, isApproval ? "approve" : "return") { body in
            body["status"] = isApproval ? "approved" : "returned"
            body["review"] = isApproval ? nil : .some(.string("reason \(step)"))
            body[ApprovedFindings.member] = isApproval ? .some([:]) : nil
            body[ApprovedPhotos.member] = isApproval ? .some(.array(photos)) : nil
        }
    }

    /// One field that such a person is asked about.
    private mutating func decide(_ number: Int) {
        guard let body = laptops[number].body, let whole = RecordConflict(.inspection, id: "i", object: body),
            let conflict = laptops[number].isSupervisor ? whole : whole.ofEverybody
        else { return }
        guard let field = conflict.fields.randomElement(using: &random) else {
            let kept = Conflicts.decided(
                body, conflict: conflict, choices: [:], keepsRecord: true, by: laptops[number].author())
            return keep(kept, on: number, "keeps the record")
        }
        // Which district it leaves is for those to say whose it is.
        if laptops[number].name.isExactly("tomas"), ["site", "district"].containsExactly(field.path.name) { return }
        var chosen = ([field.current] + field.others).randomElement(using: &random)?.value ?? .null
        if !mayDecide(number, field.path, body) { chosen = field.current.value ?? .null }
        let decided = Conflicts.decided(
            body, conflict: conflict, choices: Self.withDistrict(field.path, chosen, conflict), keepsRecord: true,
            by: laptops[number].author())
        keep(decided, on: number, "decides \(field.path.name) = \(chosen)")
    }

    private func mayDecide(_ number: Int, _ path: FieldPath, _ body: JSONObject) -> Bool {
        return laptops[number].isSupervisor || Self.status(body)?.isOpen == true
    }

    private static func withDistrict(
        _ path: FieldPath, _ chosen: JSONValue, _ conflict: RecordConflict
    ) -> [FieldPath: JSONValue] {
        let district = FieldPath("district")
        guard path.name.isExactly("site"), conflict.fields.contains(where: { $0.path == district }),
            let site = sites.first(where: { chosen.stringValue?.isExactly($0.0) == true })
        else { return [path: chosen] }
        return [path: chosen, district: .string(site.1)]
    }

    // MARK: Syncing

    private mutating func sync(_ number: Int, isCut: Bool) async throws {
        pull(number)
        let laptop = laptops[number]
        guard laptop.isChanged, !isCut else { return }
        if let refusal = try await refusal(of: laptop), !isOverDeletion(laptop) {
            let versions = "from \(head?.description ?? "nothing")\nto \(laptop.body?.description ?? "nothing")"
            refusals.append(
                (["\(laptop.name) on \(laptop.device): \(refusal)"] + history + [versions]).joined(separator: "\n"))
        } else if !isOverDeletion(laptop) {
            head = laptop.body
            revision += 1
            history.append("\(laptop.name) on \(laptop.device) has sent it")
        }
        // Who is refused gives up, so that each fault is seen once.
        laptops[number].known = revision
        laptops[number].base = head
        laptops[number].body = head
        laptops[number].isChanged = false
    }

    private mutating func pull(_ number: Int) {
        var laptop = laptops[number]
        guard laptop.known != revision else { return }
        if laptop.isChanged {
            laptop.body = RecordConflictResolver.merged(
                kind, base: laptop.base, local: laptop.body, remote: head,
                deletion: laptop.body == nil ? VersionStamp(by: laptop.name, at: nil, device: laptop.device) : nil,
                writer: RecordConflictResolver.Writer(user: laptop.name, device: laptop.device))
            laptop.isChanged = laptop.body != head
            history.append("\(laptop.name) on \(laptop.device) merges")
        } else {
            laptop.body = head
        }
        laptop.known = revision
        laptop.base = head
        laptops[number] = laptop
    }

    /// Only those who assign work bring back what was assigned.
    private func isOverDeletion(_ laptop: Laptop) -> Bool { kind == .assignment && head == nil && !laptop.isSupervisor }

    private func refusal(of laptop: Laptop) async throws -> String? {
        func bytes(_ body: JSONObject?) -> [UInt8] {
            var document = body ?? ["_deleted": true]
            document["_id"] = .string("\(kind.rawValue)-1")
            return document.bytes
        }
        let call = SyncFunctionCall(
            function: function, document: bytes(laptop.body), oldDocument: bytes(head), user: laptop.user)
        return try await pool.run([call])[0].rejection?.reason
    }
}
