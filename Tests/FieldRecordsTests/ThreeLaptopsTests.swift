import DocumentValues
import FieldModels
import SeededRandom
import Testing

@testable import FieldRecords

/// Three laptops on the same inspections, one of them a supervisor's, with clocks fifty years apart.
@Suite struct ThreeLaptopsTests {
    private static let records = ["a", "b", "c"]

    private static func laptops() -> [ModelLaptop] {
        [("mara", 631_152_000), ("ines", 1_772_619_307), ("olga", 2_208_988_800)].enumerated().map { index, person in
            ModelLaptop(
                author: Author(
                    name: person.0, moment: Timestamp(secondsSince1970: Int64(person.1)), device: "laptop-\(index)"),
                isSupervisor: index == 2)
        }
    }

    /// No typed value is lost unless a person who saw it has replaced it: it is kept, or is listed for a decision. And
    /// all laptops end with the same records.
    @Test(arguments: 0..<300) func nothingTypedIsLost(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var laptops = Self.laptops()
        var register = ModelRegister()
        var ledger = TypingLedger()
        for id in Self.records { laptops[0].make(id) }
        Self.exchange(&laptops, &register, &ledger)
        for step in 0..<120 {
            let index = random.number(below: laptops.count)
            let id = Self.records[random.number(below: Self.records.count)]
            Self.work(&laptops[index], id, step, &register, &ledger, &random)
        }
        Self.exchange(&laptops, &register, &ledger)
        let bodies = register.heads.compactMapValues(\.body)
        for laptop in laptops {
            for id in Self.records { #expect(laptop.copies[id]?.body == register.heads[id]?.body) }
        }
        #expect(ledger.lost(bodies).isEmpty, "seed \(seed): \(ledger.lost(bodies))")
        #expect(ledger.typed.count > 5)
        for body in bodies.values { Self.check(body) }
    }

    private static func work(
        _ laptop: inout ModelLaptop, _ id: String, _ step: Int, _ register: inout ModelRegister,
        _ ledger: inout TypingLedger, _ random: inout SeededGenerator
    ) {
        let text = String(repeating: "x", count: random.number(below: 4)) + "\(step)"
        switch random.number(below: 23) {
        case 0..<3: laptop.set(.int(step), FieldPath("score"), of: id, &ledger)
        case 3..<6: laptop.set(.string(text), FieldPath("notes"), of: id, &ledger)
        case 6..<8: laptop.set(.int(step), FieldPath("answers", part: "fridge"), of: id, &ledger)
        case 8: laptop.set(nil, FieldPath("notes"), of: id, &ledger)
        case 9: laptop.addPhoto("sha1-\(step)", to: id, &ledger)
        case 10..<12: laptop.step(id, "because \(text)", &ledger, &random)
        case 12: if random.number(below: 3) == 0 { laptop.delete(id, &ledger) }
        case 13..<15: laptop.decide(id, "decided \(text)", &ledger, &random)
        case 15: laptop.removePhoto(of: id, &ledger, &random)
        case 16..<18: laptop.renamePhoto(of: id, text, &ledger, &random)
        default:
            laptop.sync(
                id, with: &register, &ledger, forgetsBase: random.number(below: 20) == 0,
                isCut: random.number(below: 5) == 0)
        }
    }

    /// Syncs until no laptop has anything new for another.
    private static func exchange(
        _ laptops: inout [ModelLaptop], _ register: inout ModelRegister, _ ledger: inout TypingLedger
    ) {
        for _ in 0..<4 {
            for index in laptops.indices {
                for id in records {
                    laptops[index].sync(id, with: &register, &ledger, forgetsBase: false, isCut: false)
                }
            }
        }
    }

    /// What must hold of every record: no value is listed twice, and a field whose values agree is not listed.
    private static func check(_ body: JSONObject) {
        let values = ContestedValues(of: body).values
        #expect(Set(values.map(\.identity)).count == values.count)
        if let conflict = RecordConflict(.inspection, id: "a", object: body) {
            #expect(conflict.fields.allSatisfy { !$0.others.isEmpty })
        }
        let names = (body["photos"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
        #expect(Set(names).count == names.count)
    }
}
