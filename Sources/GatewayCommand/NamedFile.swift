import Foundation

/// A file that an option names; `-` for standard input.
enum NamedFile {
    static func content(of path: String) throws -> Data {
        do {
            if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
            // A pipe has no length, so it is read to its end.
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return try file.readToEnd() ?? Data()
        } catch {
            throw Failure("\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    static func text(of path: String) throws -> String {
        guard let text = String(validating: try content(of: path), as: UTF8.self) else {
            throw Failure("\(path) is no UTF-8 text")
        }
        return text
    }

    /// A sync function. An empty one would be the default function, under which every user may write everything.
    static func function(of path: String) throws -> String {
        let text = try text(of: path)
        guard !text.allSatisfy(\.isWhitespace) else { throw Failure("\(path) is empty: there is no function in it") }
        return text
    }
}
