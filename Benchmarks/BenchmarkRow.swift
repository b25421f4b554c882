import Foundation

/// A measured value and its reference.
struct BenchmarkRow: Codable {
    let name: String
    let unit: String
    let value: Double
    /// The measurement or limit that the value is compared with.
    let reference: String
    let referenceValue: Double
    /// Above 1 is better than the reference.
    let ratio: Double

    enum Better { case higher, lower }

    init(
        _ name: String, _ value: Double, _ unit: String, _ better: Better, reference: String, _ referenceValue: Double
    ) {
        self.name = name
        self.unit = unit
        self.value = Self.rounded(value)
        self.reference = reference
        self.referenceValue = Self.rounded(referenceValue)
        ratio = Self.rounded(better == .higher ? value / referenceValue : referenceValue / value)
    }

    /// Rounds to four significant digits.
    private static func rounded(_ value: Double) -> Double {
        guard value != 0, value.isFinite else { return 0 }
        let scale = pow(10, 3 - floor(log10(abs(value))))
        return (value * scale).rounded() / scale
    }
}

/// `results.jsonl`: one object a row. A run of a part replaces its rows and keeps the others.
struct ResultsFile {
    private let url: URL
    private var rows: [BenchmarkRow] = []

    init(folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        url = URL(fileURLWithPath: folder).appendingPathComponent("results.jsonl")
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
        // A line of an older form is left out; the next run of its benchmark writes it again.
        rows = text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(BenchmarkRow.self, from: Data($0.utf8))
        }
    }

    mutating func put(_ new: [BenchmarkRow]) throws {
        for row in new {
            if let index = rows.firstIndex(where: { $0.name == row.name }) {
                rows[index] = row
            } else {
                rows.append(row)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try Data(lines.joined().utf8).write(to: url, options: .atomic)
    }
}

enum ResultTable {
    static func printHeader() {
        line("name", "value", "unit", "reference", "ratio", "compared with")
    }

    static func print(_ row: BenchmarkRow) {
        line(
            row.name, number(row.value), row.unit, number(row.referenceValue), number(row.ratio), row.reference)
    }

    private static func line(
        _ name: String, _ value: String, _ unit: String, _ referenceValue: String, _ ratio: String, _ reference: String
    ) {
        let cells = [
            padded(name, 30), leading(value, 10), padded(unit, 10), leading(referenceValue, 10), leading(ratio, 8),
            reference,
        ]
        Swift.print(cells.joined(separator: "  "))
        fflush(nil)
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() || abs(value) >= 1_000 ? String(Int(value.rounded())) : String(value)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func leading(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
