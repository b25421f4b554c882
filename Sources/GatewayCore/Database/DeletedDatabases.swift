import Foundation

/// Where deleted databases lie until somebody removes them, or there are too many.
struct DeletedDatabases {
    static let folderName = "deleted"

    let storage: String

    /// Moves a database's folder here.
    ///
    /// - Parameter now: seconds since 1970, for its new name: `field-20270131T120000Z`.
    /// - Returns: where it lies now, and the oldest ones, which were erased for it.
    func take(_ name: String, now: Int64) throws -> (folder: String, forgotten: [String]) {
        let files = FileManager.default
        let folder = "\(storage)/\(Self.folderName)"
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var time = now
        while files.fileExists(atPath: "\(folder)/\(name)-\(Self.stamp(time))") { time += 1 }
        let place = "\(folder)/\(name)-\(Self.stamp(time))"
        try files.moveItem(atPath: "\(storage)/\(name)", toPath: place)
        return (place, try forget(in: folder))
    }

    private func forget(in folder: String) throws -> [String] {
        let files = FileManager.default
        let known = try files.contentsOfDirectory(atPath: folder).compactMap { name in
            Self.stamp(in: name).map { (name: name, stamp: $0) }
        }
        let surplus = known.sorted { ($0.stamp, $0.name) < ($1.stamp, $1.name) }
            .dropLast(GatewayLimits.deletedDatabases).map { "\(folder)/\($0.name)" }
        for old in surplus { try files.removeItem(atPath: old) }
        return surplus
    }

    /// `20270131T120000Z`
    private static func stamp(_ seconds: Int64) -> String {
        String(
            String.UnicodeScalarView(ConfigurationTimes.text(seconds).unicodeScalars.filter { $0 != "-" && $0 != ":" }))
    }

    /// The time in a name; `nil` in one that was not given here.
    private static func stamp(in name: String) -> String? {
        let stamp = name.utf8.suffix(17)
        guard stamp.count == 17, stamp.first == UInt8(ascii: "-"), stamp.last == UInt8(ascii: "Z") else { return nil }
        return String(stamp.dropFirst())
    }
}
