import Foundation
import Testing

/// A line of the specification's tables: an expression, where it is evaluated, and what it gives.
struct Vector: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable {
        case text(String)
        case number(Double)
        case boolean(Bool)
        case date(String)
        case moment(String)
    }

    let name: String
    let expression: String
    /// A path below the root of the record.
    let context: String
    let expected: Expected
    /// The code of the report, if there is one.
    let report: String?

    var testDescription: String { "\(name) \(expression)" }

    static func all() throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/vectors", withExtension: "md"))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return try lines.flatMap { line in
            let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            return try stride(from: 0, to: cells.count - 3, by: 4).compactMap {
                try Vector(Array(cells[$0..<($0 + 4)]))
            }
        }
    }

    private init?(_ cells: [String]) throws {
        name = cells[0].trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { return nil }
        expression = String(cells[1].dropFirst().dropLast())
        context = cells[2] == "K" ? "z" : String(cells[2].dropFirst("K @ ".count))
        var result = cells[3].replacing(/\ \(D\d+\)$/, with: "")
        report = result.firstMatch(of: /\ \+ (R\d)$/).map { String($0.1) }
        result = result.replacing(/\ \+ R\d$/, with: "")
        expected = try Self.read(result)
    }

    private static func read(_ text: String) throws -> Expected {
        switch text {
        case "true", "false": return .boolean(text == "true")
        case "NaN": return .number(.nan)
        case "Infinity": return .number(.infinity)
        case "-Infinity": return .number(-.infinity)
        default: break
        }
        if text.hasPrefix("'") { return .text(String(text.dropFirst().dropLast())) }
        if text.hasPrefix("date ") { return .date(String(text.dropFirst(5))) }
        if text.hasPrefix("moment ") { return .moment(String(text.dropFirst(7))) }
        return .number(try #require(Double(text)))
    }
}
