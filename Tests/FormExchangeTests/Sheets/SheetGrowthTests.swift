import DocumentValues
import FormLogic
import Testing
import WorkCount

@testable import FormExchange

/// Reading a form costs no more than in proportion to its rows.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SheetGrowthTests {
    private static func book(choices count: Int) -> Workbook {
        let survey = [["type", "name", "label"], ["select_one l", "a", "A"]]
        let choices = [["list_name", "name", "label", "region"]] + (0..<count).map { ["l", "c\($0)", "C \($0)", "r"] }
        func sheet(_ name: String, _ rows: [[String]]) -> Sheet {
            Sheet(name: name, rows: rows.enumerated().map { SheetRow(number: $0.offset + 1, texts: $0.element) })
        }
        return Workbook(layout: .spreadsheet, sheets: [sheet("survey", survey), sheet("choices", choices)])
    }

    @Test func aListGrowsWithItsChoices() async throws {
        let growth = try await Growth.of(500) { size in
            Self.book(choices: size)
        } work: { book in
            let reading = try SheetImport.form(of: book, options: FormImportOptions(file: "a.xlsx"))
            #expect(reading.form.lists[0].choices.count > 1 && !reading.findings.hasErrors)
        }
        #expect(!growth.isSquare, "\(growth)")
    }
}
