import Foundation

/// A file in the folder of a restored database, which means that it has not been served since: no user has changed in it,
/// so another restore is compared with the database before it.
struct RestoredMark {
    private let path: String

    /// - Parameter folder: of the database.
    init(folder: String) { path = folder + "/.restored" }

    var isThere: Bool { FileManager.default.fileExists(atPath: path) }

    func set() throws { try Data().write(to: URL(fileURLWithPath: path)) }

    func remove() throws { if isThere { try FileManager.default.removeItem(atPath: path) } }
}
