import DocumentValues
import Foundation

/// One recorded conversation of Couchbase Lite with Sync Gateway, from `Fixtures/<name>.jsonl`.
public struct Transcript: Sendable {
    /// The file's name without its ending: `01-pull-five`.
    public let name: String
    /// The first line: `scenario`, `client`, `server`, `setup`, `client_options`, `notes`.
    public let header: JSONObject
    public let records: [TranscriptRecord]

    /// All recordings, by name.
    public static func names() throws -> [String] {
        try Fixtures.names(withSuffix: ".jsonl")
    }

    public static func load(_ name: String) throws -> Transcript {
        let lines = try Fixtures.bytes(of: "\(name).jsonl").split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first else { throw TranscriptError("\(name): the file is empty") }
        let records = try lines.dropFirst().map { line in
            do {
                return try TranscriptRecord(JSONObject(parsing: Array(line)))
            } catch {
                throw TranscriptError("\(name): \(error)")
            }
        }
        return Transcript(name: name, header: try JSONObject(parsing: Array(first)), records: records)
    }

    /// The record with this number, as citations give it.
    public func record(_ number: Int) throws -> TranscriptRecord {
        guard let record = records.first(where: { $0.number == number }) else {
            throw TranscriptError("\(name) has no record \(number)")
        }
        return record
    }

    /// The numbers of the connections, in order.
    public var connections: [Int] { Array(Set(records.compactMap(\.connection))).sorted() }

    public func records(of connection: Int) -> [TranscriptRecord] { records.filter { $0.connection == connection } }

    public func frames(of connection: Int, _ direction: TranscriptDirection? = nil) -> [TranscriptFrame] {
        records.compactMap { record in
            guard case .frame(let frame) = record.content, frame.connection == connection,
                direction == nil || frame.direction == direction
            else { return nil }
            return frame
        }
    }

    /// The whole messages of a connection, in the order in which their last frames passed.
    public func messages(of connection: Int, _ direction: TranscriptDirection? = nil) -> [TranscriptMessage] {
        frames(of: connection, direction).compactMap(\.message)
    }

    /// The calls on the gateway that were made before the recording began.
    public var setup: [JSONValue] { header["setup"]?.arrayValue ?? [] }
}

/// An error of a recording, or of a query to it.
public struct TranscriptError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

enum Fixtures {
    private static func folder() throws -> URL {
        guard let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil) else {
            throw TranscriptError("the test bundle has no Fixtures")
        }
        return folder
    }

    static func names(withSuffix suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder().path)
            .filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }.sorted()
    }

    static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder().appendingPathComponent(file)))
    }
}
