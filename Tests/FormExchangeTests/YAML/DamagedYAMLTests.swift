import DocumentValues
import FormLogic
import SeededRandom
import Testing

@testable import FormExchange

/// Forms in YAML with bytes changed, lines moved and parts repeated: they are read, or refused with positions in the text.
@Suite struct DamagedYAMLTests {
    @Test(arguments: ["kitchen_hygiene", "water_point"])
    func damageIsSurvived(name: String) throws {
        let text = try FormYAMLTests.text(of: name)
        let lines = text.split(atByte: "\n", omittingEmptySubsequences: false).count
        for seed in 0..<UInt64(60) {
            var random = SimulationRandom(seed: seed)
            let damaged = Self.damaged(text, random: &random)
            let reading = FormYAML.read(damaged)
            let findings = FormChecker.findings(of: reading)
            #expect(findings.shown.count <= CheckLimits.findings)
            for finding in findings.shown {
                #expect(finding.position.line <= 2 * lines + 20, "seed \(seed): \(finding)")
                #expect(!finding.message.isEmpty)
            }
            guard !findings.hasErrors else { continue }
            // What is right can be written and read.
            let again = FormYAML.read(FormYAML.write(reading.form))
            #expect(again.form.digest == reading.form.digest, "seed \(seed)")
        }
    }

    private static let pieces = [
        "\n", " ", "  ", ":", ": ", "- ", "'", "\"", "{", "}", "[", "]", "#", "\t", "&a ", "*a", "é",
    ]

    private static func damaged(_ text: String, random: inout SimulationRandom) -> String {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.insert(contentsOf: (random.pick(pieces) ?? "").utf8, at: index)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...8, using: &random)))
            case 2: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &random)
            default:
                let end = min(bytes.count, index + Int.random(in: 1...200, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
