import DocumentValues
import FieldModels
import FieldRecords

/// Finds the value that a person means by a side such as `mine`.
struct ConflictChoice {
    /// The name of this device and of the person who works here, by which `mine` is known.
    let device: String?
    let user: String?
    let names: ConflictNames
    /// The values of the record in this laptop's own log. A value carries the name of the person who saved its version,
    /// who may have changed only another field.
    var typed = TypedValues()

    /// - Throws: `UsageError` where the side can mean none or several of the values.
    func value(_ side: String, of field: ContestedField) throws(UsageError) -> ContestedValue {
        switch ConflictSide(typed: side) {
        case .mine: return try only(own(field), side: "mine", field: field)
        case .theirs:
            let own = Set(own(field))
            return try only(all(field).filter { !own.contains($0) }, side: "theirs", field: field)
        case .current: return field.current
        case .other: return try only(field.others, side: side, field: field)
        case nil:
            let named = all(field).filter { value in
                [value.stamp.device, value.stamp.by].contains { $0.map { ChoiceMatch.means(side, choice: $0) } == true }
            }
            let exact = named.filter { value in
                [value.stamp.device, value.stamp.by].contains { $0?.isExactly(side) == true }
            }
            let typed = all(field).filter { named.isEmpty && $0.text.isExactly(side) }
            return try only(exact.isEmpty ? named + typed : exact, side: side, field: field)
        }
    }

    /// Whether a text says whose value is meant, so that it is none of the values themselves.
    static func isSide(_ text: String) -> Bool { ConflictSide(typed: text) != nil }

    /// Whether it is the name of a device that one of the values was typed on, or of who typed it.
    func isNamed(_ side: String, in field: ContestedField) -> Bool {
        all(field).contains { value in
            [value.stamp.device, value.stamp.by].contains { $0?.isExactly(side) == true }
        }
    }

    /// The value that `mine` means; `nil` where it means none or several.
    func mine(of field: ContestedField) -> ContestedValue? {
        let own = own(field)
        return own.count == 1 ? own[0] : nil
    }

    /// The value typed on this device (the last one, if there are two), or else the one by this user on another. The
    /// name of the device shows which one it is, or else the log of the device. Empty if none was typed here; several
    /// if it cannot be decided.
    private func own(_ field: ContestedField) -> [ContestedValue] {
        func isSame(_ name: String?, own: String?) -> Bool {
            guard let name, let own else { return false }
            return name.isExactly(own)
        }
        let here = all(field).filter { isSame($0.stamp.device, own: device) }
        // All of these moments are by the clock of this device.
        let moments = here.compactMap(\.stamp.at)
        if here.count > 1, moments.count == here.count, Set(moments).count == moments.count,
            let last = here.max(by: { ($0.stamp.at ?? moments[0]) < ($1.stamp.at ?? moments[0]) })
        {
            return [last]
        }
        if !here.isEmpty { return here }
        if let logged = typed.last(among: all(field), at: field.path) { return [logged] }
        let own = all(field).filter { isSame($0.stamp.by, own: user) }
        guard own.isEmpty, field.path == RecordConflict.review else { return own }
        // An approval has no reason, and so no name at it.
        return all(field).filter { $0.value == nil }
    }

    private func only(
        _ values: [ContestedValue], side: String, field: ContestedField
    ) throws(UsageError) -> ContestedValue {
        if values.count == 1 { return values[0] }
        let label = names.label(of: field.path)
        let owner = ["mine": "yours", "theirs": "somebody else's"][side] ?? "'\(side)'"
        let which = values.isEmpty ? "No value of \(label) is \(owner)." : "Several values of \(label) are \(owner)."
        let people = names(of: field, \.by) + names(of: field, \.device)
        let name = people.isEmpty ? "" : ", or name the person or device (\(people.joined(separator: ", ")))"
        // With several others, `other` is none.
        let sides = field.others.count > 1 ? "current" : "current or other"
        throw UsageError(
            which, hint: "Say \(sides)\(name), or type the value: \(names.typedName(of: field.path))=VALUE")
    }

    /// The people or the devices that say which value is meant: those that have given one of them only.
    private func names(of field: ContestedField, _ part: KeyPath<VersionStamp, String?>) -> [String] {
        let names = all(field).compactMap { $0.stamp[keyPath: part] }
        let counts = Dictionary(names.map { (Name($0), 1) }, uniquingKeysWith: +)
        return names.filter { counts[Name($0)] == 1 }
    }

    private func all(_ field: ContestedField) -> [ContestedValue] { [field.current] + field.others }
}
