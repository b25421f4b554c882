import DocumentValues
import FieldModels
import Foundation

/// The shell's surroundings, such as variables and the clock; tests supply their own.
public struct ShellEnvironment: Sendable {
    public var variables: [String: String]
    public var now: @Sendable () -> Timestamp
    public var today: @Sendable () -> CalendarDay
    /// In which times are shown.
    public var zone: TimeZone

    public init(
        variables: [String: String], now: @escaping @Sendable () -> Timestamp,
        today: @escaping @Sendable () -> CalendarDay, zone: TimeZone = .current
    ) {
        self.zone = zone
        self.variables = variables
        self.now = now
        self.today = today
    }

    /// The real one.
    public static var current: ShellEnvironment {
        ShellEnvironment(
            variables: ProcessInfo.processInfo.environment,
            now: { Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970)) },
            today: {
                let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
                return CalendarDay(year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1)
                    ?? CalendarDay(daysSince1970: 0)
            })
    }

    /// The clock of this moment.
    public var clock: LocalClock { LocalClock(now: now(), zone: zone) }

    /// The folder of the records: as said, by `$FIELDBOOK_FOLDER`, or where such data belong.
    func folderPath(_ given: String?) -> String {
        if let given { return given }
        if let folder = variables["FIELDBOOK_FOLDER"], !folder.isEmpty { return folder }
        if let data = variables["XDG_DATA_HOME"], data.hasExactPrefix("/") { return data + "/fieldbook/records" }
        let home = variables["HOME"].flatMap { $0.hasExactPrefix("/") ? $0 : nil } ?? "~"
        return home + "/.local/share/fieldbook/records"
    }
}
