import DocumentValues
import Foundation

/// The databases of one name that `restore` has moved away: folders beside it, with the time in their names. A name that
/// begins with a dot is never a database's.
struct ReplacedDatabases {
    private let storage: String
    private let prefix: String

    private struct Found {
        let path: String
        /// When it was moved, and its number within that second.
        let time: Int64
        let number: Int64
    }

    init(of name: String, in storage: String) {
        self.storage = storage
        prefix = ".replaced-\(name)-"
    }

    /// A free name. The second one within a second gets a number.
    ///
    /// - Parameter now: seconds since 1970.
    func unusedPath(now: Int64) -> String {
        let path = "\(storage)/\(prefix)\(now)"
        let names = [path] + (2...9).map { "\(path)-\($0)" }
        return names.first { !FileManager.default.fileExists(atPath: $0) } ?? path
    }

    /// The newest that was served before it was moved.
    func lastServed() throws -> String? {
        let all = try FileManager.default.contentsOfDirectory(atPath: storage).compactMap(found)
        return all.sorted { ($0.time, $0.number) > ($1.time, $1.number) }.map(\.path).first {
            !RestoredMark(folder: $0).isThere
        }
    }

    /// The folder of a database whose name begins with this one's and a dash does not have a time and number behind it.
    private func found(_ name: String) -> Found? {
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = name.utf8.dropFirst(prefix.utf8.count)
        let parts = rest.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
        guard let time = numbers.first, numbers.count == parts.count else { return nil }
        let number = numbers.dropFirst().first ?? 1
        guard numbers.count <= 2, (1...9).contains(number) else { return nil }
        return Found(path: "\(storage)/\(name)", time: time, number: number)
    }
}
