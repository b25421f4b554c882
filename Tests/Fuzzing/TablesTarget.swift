import DocumentValues

@testable import FieldRecords

extension FuzzTarget {
    /// Files of a register: any bytes become rows, and any rows an import that leaves out what it cannot use.
    static let tables = FuzzTarget(
        name: "tables",
        seeds: {
            [
                "business_id,name,address,city,state,postal_code,latitude,longitude,phone_number\n"
                    + "10,\"Bar \"\"X\"\"\",1 St,SF,CA,94110,37.7,-122.4,+14155551234\r\n10,Caf\u{E9},,,,,,,\n",
                "business_id;date;score;type\n10;20130101;94;routine\n10;2013-02-30;x;\n",
                "business_id\tdate\tdescription\n10\t20130101\tHigh risk [ date violation corrected: 1/2/2013 ]\n",
                "id,channels,created_at,changed_at,visit,form,answer_clean,other\r\n"
                    + "1,district.a,,,routine,,yes,\"{\"\"a\"\":{\"\"b\"\":1}}\"\r\n",
            ].map { Array($0.utf8) } + [[0x22, 0xE9, 0x2C, 0x0A, 0xEF, 0xBB, 0xBF]]
        }
    ) { bytes in
        var reader = CSVReader(bytes)
        var last = 0
        while let row = reader.next() {
            check(row.line > last, "row \(row.line) comes after row \(last)")
            check(!row.fields.isEmpty, "a row without fields")
            last = row.line
        }
        _ = LegacyText.decode(bytes)
        var plan = ImportPlan()
        try? SiteTable.read(bytes, file: "sites", into: &plan)
        try? InspectionTable.read(bytes, file: "inspections", into: &plan)
        try? FindingTable.read(bytes, file: "findings", into: &plan)
        for count in plan.report.counts { check(count.leftOut <= count.rows, "more is left out than there was") }
        checkCells(of: bytes)
    }

    /// What an export writes is read back as it was, and any cell becomes a value or is refused.
    private static func checkCells(of bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        check(CSVWriter.text(ofCell: CSVWriter.cell(text)).isExactly(text), "the cell of '\(text)' is another text")
        var reader = CSVReader(bytes)
        _ = ExportedFile.kind(of: CSVTable.headings(of: bytes))
        var object = JSONObject()
        while let row = reader.next() {
            for cell in row.fields {
                for reading in [CellReading.members, .text("a", "b"), .number("c"), .list("d"), .answer("e")] {
                    try? reading.put(cell, into: &object)
                }
                guard let answer = object["answers"]?["e"] else { continue }
                check(answer.cell.isExactly(cell), "the answer '\(cell)' is written as another")
            }
        }
    }
}
