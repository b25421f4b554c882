import DocumentValues
import Foundation

/// The folder of deleted databases, until a person removes them, or there are too many.
struct DeletedDatabases {
    static let folderName = "deleted"

    let storage: String

    private var folder: String { "\(storage)/\(Self.folderName)" }

    /// Moves a database's folder here.
    ///
    /// - Parameter now: seconds since 1970, for its new name: `field-20270131T120000Z`, and `field-20270131T120000Z-2` for
    ///   the second one of that second.
    /// - Returns: its present path.
    func take(_ name: String, now: Int64) throws -> String {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let first = "\(folder)/\(name)-\(Self.stamp(now))"
        var path = first
        var number = 1
        while files.fileExists(atPath: path) {
            number += 1
            path = "\(first)-\(number)"
        }
        try files.moveItem(atPath: "\(storage)/\(name)", toPath: path)
        return path
    }

    /// Erases the oldest ones beyond the limit, but never the one that has just been moved here, which may look older if
    /// the clock was set back.
    ///
    /// - Returns: each of them, and why it could not be erased.
    func forget(sparing path: String) throws -> [(folder: String, failure: (any Error)?)] {
        let files = FileManager.default
        let known = try files.contentsOfDirectory(atPath: folder).compactMap { name in
            Self.time(in: name).map { (path: "\(folder)/\(name)", time: $0) }
        }
        let others = known.filter { !$0.path.isExactly(path) }
            .sorted { ($0.time.stamp, $0.time.number, $0.path) < ($1.time.stamp, $1.time.number, $1.path) }
        return others.dropLast(GatewayLimits.deletedDatabases - 1).map { old in
            do {
                try files.removeItem(atPath: old.path)
                return (old.path, nil)
            } catch {
                return (old.path, error)
            }
        }
    }

    /// `20270131T120000Z`
    private static func stamp(_ seconds: Int64) -> String {
        String(
            String.UnicodeScalarView(ConfigurationTimes.text(seconds).unicodeScalars.filter { $0 != "-" && $0 != ":" }))
    }

    /// The time in a name, and its number within that second; `nil` for a name that was not given here.
    private static func time(in name: String) -> (stamp: String, number: Int)? {
        guard let match = name.wholeMatch(of: /.+-(\d{8}T\d{6}Z)(?:-(\d{1,6}))?/) else { return nil }
        return (String(match.1), match.2.flatMap { Int($0) } ?? 1)
    }
}
