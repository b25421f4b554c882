import DocumentValues
import FieldRecords
import Foundation

/// What a script hands to a form: a file, or the standard input.
struct FillInput {
    let session: ShellSession

    /// - Parameter name: a path; `-` for the standard input.
    /// - Throws: `UsageError` where there is no such file, or it is no JSON object.
    func object(_ name: String) throws -> JSONObject {
        let bytes = try bytes(name)
        do { return try JSONObject(parsing: bytes) } catch {
            let what = name == "-" ? "The standard input" : name
            throw UsageError(
                "\(what) is no JSON object: \(error)", hint: "Write answers as {\"question\": \"answer\"}.")
        }
    }

    func lines() throws -> [String] {
        String(decoding: try bytes("-"), as: UTF8.self).split(atByte: "\n").map { line in
            line.utf8.last == 13 ? String(decoding: line.utf8.dropLast(), as: UTF8.self) : String(line)
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        if name == "-" {
            // The shell's own input has its commands.
            guard !session.isShell else {
                throw UsageError("In the shell nothing is read from the standard input.", hint: "Name a file.")
            }
            return try limited(FileHandle.standardInput.readToEnd() ?? Data(), name: "The standard input")
        }
        let url = URL(fileURLWithPath: HomeFolder.expanding(name))
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw UsageError("There is no file \(url.path).")
        }
        return try limited(try Data(contentsOf: url, options: .mappedIfSafe), name: name)
    }

    private func limited(_ data: Data, name: String) throws -> [UInt8] {
        guard data.count <= ShellLimits.answers else {
            throw UsageError("\(name) has more than \(ShellLimits.answers >> 20) MB of answers.")
        }
        return Array(data)
    }
}
