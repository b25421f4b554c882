import DocumentValues
import FieldModels

extension RecordCondition {
    /// Documents of which a list has to read all: they may be no records at all, or of a newer version, or be in a district
    /// by more than its code. Of every other document lists read only the members that they show.
    ///
    /// It is computed with each save, so it has no pattern that takes long.
    ///
    /// - Returns: `nil` for kinds of which lists always read all.
    static func odd(_ kind: RecordKind) -> RecordCondition? {
        let own: [String]
        switch kind {
        case .site: own = ["ISSTRING(name)"]
        case .inspection:
            let visits = list(Inspection.Visit.allCases.map(\.rawValue))
            own = [
                "ISSTRING(site)", plainDay, "(visit IS MISSING OR visit IN [\(visits)])",
                "status IN [\(list(Inspection.Status.allCases.map(\.rawValue)))]",
            ]
        case .finding: own = ["ISSTRING(site)", plainDay, "ISSTRING(text)"]
        case .response:
            own = [
                "ISSTRING(form)", "ISSTRING(formVersion)", "ISSTRING(instanceID)", "ISOBJECT(answers)",
                "state IN [\(list(Response.State.allCases.map(\.rawValue)))]", plainMoment,
            ]
        case .form, .assignment: return nil
        }
        let envelope = [
            "type = '\(kind.rawValue)'", "(schema IS MISSING OR schema = 1)", "ISSTRING(district)",
            "ARRAY_LENGTH(channels) = 1", "channels[0] = '\(District.channelPrefix)' || district",
        ]
        return RecordCondition("CASE WHEN \((envelope + own).joined(separator: " AND ")) THEN 0 ELSE 1 END = 1")
    }

    /// A day of the calendar, as days are spelled: its distance from any other is MISSING where it is none. A record has no
    /// year 0.
    private static let plainDay =
        "date LIKE '____-__-__' AND date >= '0001' AND DATE_DIFF_STR(date, '2000-01-01', 'day') IS NOT MISSING"

    private static let plainMoment =
        // One pattern with all the signs might take too long for an index.
        "startedAt LIKE '____-__-__T%' AND startedAt LIKE '%Z' AND LENGTH(startedAt) = 20 AND startedAt >= '0001' "
        + "AND DATE_DIFF_STR(startedAt, '2000-01-01T00:00:00Z', 'day') IS NOT MISSING"

    private static func list(_ choices: [String]) -> String {
        choices.map { "'\($0)'" }.joined(separator: ", ")
    }
}
