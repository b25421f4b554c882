import DocumentValues
import FieldModels
import FieldRecords

/// Conflicts as a worker reads them.
struct ConflictText {
    let conflict: RecordConflict
    let choice: ConflictChoice
    private let clock: LocalClock

    /// - Parameter readsLog: whether `mine` is asked for, or marked. The log is read for it as a whole, which a list of many
    ///   conflicts can do without.
    init(_ conflict: RecordConflict, session: ShellSession, readsLog: Bool = true) throws {
        let author = try session.author()
        self.conflict = conflict
        choice = ConflictChoice(
            device: author.device, user: author.name,
            names: try ConflictNames(
                conflict, in: session.field(), numbers: session.photoNumbers(of: conflict)),
            typed: readsLog ? try session.field().history.typedHere(conflict.kind, id: conflict.id) : TypedValues())
        clock = session.environment.clock
    }

    /// `Score, Fridge °C`, or that it was deleted.
    var subjects: String {
        let labels = conflict.fields.map { choice.names.label(of: $0.path) }
        return ((conflict.deletion == nil ? [] : ["deleted or kept"]) + labels).joined(separator: ", ")
    }

    /// A heading for each field, and below it a line for each value.
    var sections: [Detail.Section] {
        var sections = conflict.fields.map { field in
            // Asked once a field: it looks at all of its values.
            let mine = choice.mine(of: field)
            return Detail.Section(
                title: title(of: field.path),
                lines: [line(field.current, of: field, isCurrent: true, isMine: field.current == mine)]
                    + field.others.map { line($0, of: field, isCurrent: false, isMine: $0 == mine) })
        }
        if let deletion = conflict.deletion {
            let who = who(deletion)
            sections.append(
                Detail.Section(
                    title: "Deleted or kept",
                    lines: [
                        (who.isEmpty ? "somebody deleted it, or the gateway lost it," : "deleted by \(who),")
                            + " while it was changed elsewhere; the change counts until you decide"
                    ] + (conflict.lastChange.map { [changeLine($0)] } ?? [])))
        }
        return sections
    }

    /// `changed by eve on mill-laptop, 10:15 today: Score 51`: the change that would be lost with a deleted record.
    private func changeLine(_ change: VersionStamp) -> String {
        let given = conflict.lastGiven.map { path, value in
            let text = choice.names.text(value, at: path).printableLine.cut(to: ShellLimits.answerShown)
            return "\(choice.names.label(of: path)) \(text)"
        }
        let rest = given.count - ShellLimits.shownChanges
        let shown = given.prefix(ShellLimits.shownChanges) + (rest > 0 ? ["\(rest) more"] : [])
        return "changed by \(who(change))" + (shown.isEmpty ? "" : ": \(shown.joined(separator: ", "))")
    }

    /// With the name to be typed, where that is not to be guessed.
    private func title(of path: FieldPath) -> String {
        let (label, name) = (choice.names.label(of: path), choice.names.typedName(of: path))
        return !path.isItem && name.isExactly(path.lastName) ? label : "\(label) (\(name))"
    }

    private func line(
        _ value: ContestedValue, of field: ContestedField, isCurrent: Bool, isMine: Bool
    ) -> String {
        let who = who(value.stamp)
        let notes = [
            isCurrent ? "current" : nil, who.isEmpty ? nil : who,
            isMine ? "mine" : nil,
        ].compactMap(\.self)
        return choice.names.text(value, at: field.path) + (notes.isEmpty ? "" : "  (\(notes.joined(separator: "; ")))")
    }

    /// `mara on mill-laptop-k3m, 2026-03-04 10:15`.
    private func who(_ stamp: VersionStamp) -> String {
        let names = [stamp.by, stamp.device.map { stamp.by == nil ? $0 : "on \($0)" }].compactMap(\.self)
        // A name with line ends would look like lines of the program's own.
        let person = names.map(\.printableLine)
        let moment = stamp.at.map { clock.text($0) }
        return [person.isEmpty ? nil : person.joined(separator: " "), moment].compactMap(\.self)
            .joined(separator: ", ")
    }

    /// Only a supervisor decides about the approved values of the user's own work; the command takes only a confirmation of
    /// them.
    private var isOwnApproval: Bool {
        let isApproved = conflict.object["status"] == .string(Inspection.Status.approved.rawValue)
        return conflict.kind == .inspection && isApproved && choice.user.map { conflict.isWork(of: $0) } == true
    }

    /// How to decide about it.
    func advice(number: String) -> String {
        if isOwnApproval, !conflict.fields.isEmpty {
            return "A supervisor decides; you can confirm what was approved: conflicts take \(number) current"
        }
        if conflict.fields.isEmpty {
            return "Decide: conflicts take \(number) keep, or: conflicts take \(number) delete"
        }
        let field = choice.names.typedName(of: conflict.fields[0].path)
        let life =
            conflict.deletion == nil
            ? "" : ". Where it is deleted or kept: conflicts take \(number) keep, or: conflicts take \(number) delete"
        return "Decide: conflicts take \(number) \(sides), or \(field)=VALUE\(life)"
    }

    /// Those that mean one value in each field: a person on two laptops may have given both.
    private var sides: String {
        func isClear(_ side: ConflictSide) -> Bool {
            conflict.fields.allSatisfy { field in
                do {
                    _ = try choice.value(side.rawValue, of: field)
                    return true
                } catch {
                    return false
                }
            }
        }
        let own = [ConflictSide.mine, .theirs].filter(isClear)
        let clear = own.count == 2 ? own : [.current] + [.other].filter(isClear)
        return clear.map(\.rawValue).joined(separator: ", or ")
    }

    /// For a sync: `Score: now 80 (mara on b); kept beside it: 60 (ines on a)`.
    var reportLines: [String] {
        let deletion = conflict.deletion.map { who($0) } ?? ""
        return (deletion.isEmpty ? [] : ["Deleted by \(deletion)"])
            + conflict.fields.map { field in
                func text(_ value: ContestedValue) -> String {
                    let who = who(value.stamp)
                    // The title of a record is never a long text.
                    let text =
                        choice.names.text(value.value, at: field.path)
                        ?? value.text.cut(to: ShellLimits.reportedValue)
                    return text + (who.isEmpty ? "" : " (\(who))")
                }
                let others = field.others.map(text).joined(separator: ", ")
                if field.path.isItem {
                    return "\(choice.names.label(of: field.path)): \(others); \(text(field.current)) until you decide"
                }
                return "\(choice.names.label(of: field.path)): now \(text(field.current)); kept beside it: \(others)"
            }
    }

    /// The note at the prompt if there are more conflicts than before.
    static func note(_ count: Int) -> String {
        count == 1
            ? "1 record was given different values on two devices; you decide: conflicts"
            : "\(count.grouped) records were given different values on two devices; you decide: conflicts"
    }
}

extension RecordConflict {
    /// For programs: the record's id and every value with who gave it.
    var json: JSONObject {
        func json(_ value: ContestedValue) -> JSONValue {
            var object: JSONObject = ["value": value.value ?? .null]
            object["by"] = value.stamp.by.map { .string($0) }
            object["at"] = value.stamp.at.map { .string($0.description) }
            object["device"] = value.stamp.device.map { .string($0) }
            return .object(object)
        }
        let fields = fields.map { field -> JSONValue in
            [
                "field": .string(field.path.name), "current": json(field.current),
                "others": .array(field.others.map(json)),
            ]
        }
        return [
            "_id": .string(id), "kind": .string(kind.rawValue), "title": .string(title), "fields": .array(fields),
            "deleted": .bool(deletion != nil),
        ]
    }
}

extension ConflictText {
    /// The sections that `show` adds to the record itself: the user's questions, and those that a supervisor has to decide.
    static func showSections(of conflict: RecordConflict, session: ShellSession) throws -> [Detail.Section] {
        var questions = try OpenQuestions(of: session.settings().user, in: session.field().store)
        let asked = try questions.about(conflict)
        var sections: [Detail.Section] =
            try asked.map { asked in
                let text = try ConflictText(asked, session: session)
                return [
                    Detail.Section(
                        title: "To decide: \(text.subjects)", lines: text.lines + ["Decide with: conflicts"])
                ]
            } ?? []
        if let others = conflict.ofSupervisors, asked != conflict {
            let text = try ConflictText(others, session: session)
            sections.append(Detail.Section(title: "A supervisor decides: \(text.subjects)", lines: text.lines))
        }
        return sections
    }

    private var lines: [String] {
        sections.flatMap { section in section.lines.map { "\(section.title): \($0)" } }
    }
}
