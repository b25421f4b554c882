import DocumentValues
import FieldModels
import SeededRandom

@testable import FieldRecords

/// The gateway as laptops see it: one sequence of revisions for each record.
struct ModelRegister {
    struct Head {
        var revision = 0
        /// `nil` for a deleted record.
        var body: JSONObject?
    }

    var heads: [String: Head] = [:]
}

/// The values that people have typed, and those that a person who saw them has replaced.
struct TypingLedger {
    struct Typed: Hashable {
        let record: String
        let path: FieldPath
        let value: JSONValue
    }

    private(set) var typed: Set<Typed> = []
    private var seen: Set<Typed> = []

    mutating func type(_ value: JSONValue?, _ path: FieldPath, of record: String) {
        if let value { typed.insert(Typed(record: record, path: path, value: value)) }
    }

    mutating func replace(_ value: JSONValue?, _ path: FieldPath, of record: String) {
        if let value { seen.insert(Typed(record: record, path: path, value: value)) }
    }

    /// Marks all values of a record as replaced, since a person who sees them deletes the record.
    mutating func replaceAll(of record: String, in body: JSONObject) {
        for value in typed where value.record == record && Self.holds(body, value) { seen.insert(value) }
    }

    /// A photo is to be gone.
    mutating func remove(_ photo: FieldPath, of record: String) {
        typed.insert(Typed(record: record, path: photo, value: .null))
    }

    /// A person who knew of the question has decided whether the photo stays.
    mutating func settle(_ photo: FieldPath, of record: String) {
        seen.insert(Typed(record: record, path: photo, value: .null))
    }

    /// If the common version is not known, a removed photo cannot be distinguished from an added one.
    mutating func forgetRemovals(of record: String, on left: JSONObject?, _ right: JSONObject?) {
        for value in typed where value.record == record && value.value.isNull {
            if [left, right].contains(where: { $0.map { value.path.read($0) == nil } ?? true }) { seen.insert(value) }
        }
    }

    /// Marks all values of a photo as replaced, since a person who sees them removes the photo.
    mutating func replaceAll(about photo: FieldPath, of record: String, in body: JSONObject) {
        for value in typed where value.record == record && value.path.item == photo && Self.holds(body, value) {
            seen.insert(value)
        }
    }

    /// The values that are lost although no person who saw them has replaced them.
    func lost(_ bodies: [String: JSONObject]) -> [Typed] {
        typed.subtracting(seen).filter { value in bodies[value.record].map { !Self.holds($0, value) } ?? true }
    }

    private static func holds(_ body: JSONObject, _ typed: Typed) -> Bool {
        if typed.value.isNull {
            return typed.path.read(body) == nil || ContestedValues(of: body).stamp(of: nil, at: typed.path) != nil
        }
        return ValueOrder.isSame(typed.path.read(body), and: typed.value)
            || ContestedValues(of: body).stamp(of: typed.value, at: typed.path) != nil
    }
}

/// A laptop that edits inspections as the shell's users can, and merges as the shell does.
struct ModelLaptop {
    struct Copy {
        var known = 0
        var base: JSONObject?
        var body: JSONObject?
        var isChanged = false
    }

    let author: Author
    let isSupervisor: Bool
    var copies: [String: Copy] = [:]

    // MARK: Working

    mutating func make(_ id: String) {
        let body: JSONObject = [
            "type": "inspection", "schema": 1, "site": "s", "date": "2026-03-04", "status": "draft",
            "district": "hill", "channels": ["district.hill"],
        ]
        copies[id] = Copy(known: 0, base: nil, body: stamped(body), isChanged: true)
    }

    private func stamped(_ body: JSONObject) -> JSONObject {
        var body = body
        body["changedBy"] = author.name.map { .string($0) }
        body["changedAt"] = .string(author.moment.description)
        body["device"] = author.device.map { .string($0) }
        return body
    }

    private mutating func change(_ id: String, _ change: (inout JSONObject) -> Void) {
        guard var copy = copies[id], let before = copy.body else { return }
        var after = stamped(before)
        change(&after)
        ContestedValues.afterEdit(from: before, to: after).write(to: &after)
        copy.body = after
        copy.isChanged = true
        copies[id] = copy
    }

    mutating func set(_ value: JSONValue?, _ path: FieldPath, of id: String, _ ledger: inout TypingLedger) {
        guard let body = copies[id]?.body, status(body)?.isOpen == true else { return }
        ledger.replace(path.read(body), path, of: id)
        ledger.type(value, path, of: id)
        change(id) { $0 = FieldTree([path: value ?? .null]).written(to: $0) }
    }

    mutating func addPhoto(_ digest: String, to id: String, _ ledger: inout TypingLedger) {
        guard let body = copies[id]?.body, status(body)?.isOpen == true else { return }
        let photo: JSONValue = [
            "name": "door.jpg", "caption": .string("photo \(digest)"),
            "blob": ["@type": "blob", "digest": .string(digest)],
        ]
        change(id) { $0["photos"] = PhotoNames.unique(.array(($0["photos"]?.arrayValue ?? []) + [photo])) }
        let path = FieldPath(components: ["photos", digest, "caption"].map { Name($0) })
        ledger.type(.string("photo \(digest)"), path, of: id)
    }

    mutating func removePhoto(
        of id: String, _ ledger: inout TypingLedger, _ random: inout SeededGenerator
    ) {
        guard let body = copies[id]?.body, status(body)?.isOpen == true,
            let photo = body["photos"]?.arrayValue?.randomElement(using: &random), let path = Self.path(of: photo)
        else { return }
        ledger.replaceAll(about: path, of: id, in: body)
        ledger.remove(path, of: id)
        change(id) { $0["photos"] = .array(($0["photos"]?.arrayValue ?? []).filter { $0 != photo }) }
    }

    mutating func renamePhoto(
        of id: String, _ name: String, _ ledger: inout TypingLedger, _ random: inout SeededGenerator
    ) {
        guard let body = copies[id]?.body, status(body)?.isOpen == true, let photos = body["photos"]?.arrayValue,
            let index = photos.indices.randomElement(using: &random), let path = Self.path(of: photos[index])
        else { return }
        let isCaption = random.number(below: 2) == 0
        if isCaption { set(.string(name), path.appending("caption"), of: id, &ledger) }
        guard !isCaption, var photo = photos[index].objectValue else { return }
        photo["name"] = .string("\(name).jpg")
        change(id) { body in
            body["photos"] = .array(
                photos.enumerated().map { offset, other in offset == index ? .object(photo) : other })
        }
    }

    private static func path(of photo: JSONValue) -> FieldPath? {
        photo["blob"]?["digest"]?.stringValue.map { FieldPath(components: [Name("photos"), Name($0)]) }
    }

    /// One step of the life cycle, if there is one for such a person.
    mutating func step(
        _ id: String, _ review: String, _ ledger: inout TypingLedger, _ random: inout SeededGenerator
    ) {
        guard let body = copies[id]?.body, let status = status(body) else { return }
        let steps = status.next.filter { isSupervisor == ($0 == .approved || $0 == .returned) }
        guard let next = steps.randomElement(using: &random) else { return }
        let (path, note) = (FieldPath("status"), FieldPath("review"))
        if status == .approved { ledger.replace("approved", path, of: id) }
        if next == .approved { ledger.type("approved", path, of: id) }
        if next == .approved || next == .returned { ledger.replace(note.read(body), note, of: id) }
        if next == .returned { ledger.type(.string(review), note, of: id) }
        change(id) { body in
            body["status"] = .string(next.rawValue)
            if next == .submitted { body["submittedAt"] = .string("2026-03-04T10:00:00Z \(review)") }
            if next == .approved { body["review"] = nil }
            if next == .returned { body["review"] = .string(review) }
        }
    }

    mutating func delete(_ id: String, _ ledger: inout TypingLedger) {
        guard var copy = copies[id], let body = copy.body, status(body)?.isOpen == true else { return }
        ledger.replaceAll(of: id, in: body)
        copy.body = nil
        copy.isChanged = true
        copies[id] = copy
    }

    /// Decides about one field at random: the present value, another one, or a new one.
    mutating func decide(
        _ id: String, _ new: String, _ ledger: inout TypingLedger, _ random: inout SeededGenerator
    ) {
        guard var copy = copies[id], let body = copy.body,
            let conflict = RecordConflict(.inspection, id: id, object: body),
            let field = conflict.fields.randomElement(using: &random)
        else { return }
        let all = [field.current] + field.others
        for value in all { ledger.replace(value.value, field.path, of: id) }
        let isTyped = random.number(below: 3) == 0 && field.path != FieldPath("status") && !field.path.isItem
        let chosen = isTyped ? .string(new) : all.randomElement(using: &random)?.value ?? .null
        if isTyped { ledger.type(chosen, field.path, of: id) }
        if field.path.isItem {
            ledger.settle(field.path, of: id)
            if chosen.isNull { ledger.replaceAll(about: field.path, of: id, in: body) }
        }
        copy.body = Conflicts.decided(
            body, conflict: conflict, choices: [field.path: chosen], keepsRecord: conflict.deletion != nil, by: author)
        copy.isChanged = true
        copies[id] = copy
    }

    private func status(_ body: JSONObject) -> Inspection.Status? {
        body["status"]?.stringValue.flatMap(Inspection.Status.init(rawValue:))
    }

    // MARK: Syncing

    /// - Parameters:
    ///   - forgetsBase: the common version is not known.
    ///   - isCut: the connection ends before anything is sent.
    mutating func sync(
        _ id: String, with register: inout ModelRegister, _ ledger: inout TypingLedger, forgetsBase: Bool, isCut: Bool
    ) {
        var copy = copies[id] ?? Copy()
        if let head = register.heads[id], head.revision != copy.known {
            if copy.isChanged {
                let base = forgetsBase ? nil : copy.base
                if base == nil { ledger.forgetRemovals(of: id, on: copy.body, head.body) }
                copy.body = RecordMerge.merge(.inspection, base: base, a: copy.body, b: head.body)
                copy.isChanged = copy.body != head.body
            } else {
                copy.body = head.body
            }
            copy.known = head.revision
            copy.base = head.body
        }
        if copy.isChanged, !isCut {
            let revision = (register.heads[id]?.revision ?? 0) + 1
            register.heads[id] = ModelRegister.Head(revision: revision, body: copy.body)
            copy = Copy(known: revision, base: copy.body, body: copy.body, isChanged: false)
        }
        copies[id] = copy
    }
}
