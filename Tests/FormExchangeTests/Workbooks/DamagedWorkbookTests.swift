import DocumentValues
import SeededRandom
import Testing

@testable import FormExchange

/// Workbooks that are damaged, hostile, or of another kind.
@Suite struct DamagedWorkbookTests {
    private static let row = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>"

    private func refusal(_ bytes: [UInt8], file: String = "a.xlsx") -> String? {
        do throws(FormFileError) {
            _ = try WorkbookReader.read(bytes, file: file)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func oldAndSealedWorkbooksAreNamed() throws {
        let compound: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
        let old = try #require(refusal(compound, file: "a.xls"))
        #expect(old.hasPrefix("a.xls: this is a workbook of the format before 2007. Save it as .xlsx, or run: soffice"))
        #expect(refusal(compound)?.containsBytes(of: "before 2007") == true)
        let sealed = compound + "EncryptedPackage".utf8.flatMap { [$0, 0] }
        #expect(refusal(sealed) == "a.xlsx: the workbook is protected by a password. Save it without the password")
        #expect(refusal([], file: "a.ods")?.containsBytes(of: "save it again") == true)
        #expect(refusal([], file: "a.pdf")?.containsBytes(of: "no kind of file") == true)
    }

    @Test func aFileThatIsNoArchiveIsRefused() throws {
        #expect(refusal([])?.containsBytes(of: "Open it in a spreadsheet and save it again") == true)
        #expect(refusal(Array("type,name\n".utf8))?.containsBytes(of: "archive is damaged") == true)
        let whole = try BookMaker(rows: Self.row).bytes()
        #expect(refusal(whole) == nil)
        #expect(refusal(Array(whole.dropLast(30))) != nil)
    }

    @Test(arguments: ["xl/workbook.xml", "xl/worksheets/a.xml"])
    func aMissingPartIsNamed(part: String) throws {
        var book = BookMaker(rows: Self.row)
        book.replace(part, with: nil)
        #expect(
            refusal(try book.bytes()) == "a.xlsx: the workbook has no part '\(part)'. "
                + "Open it in a spreadsheet and save it again")
        book.replace(part, with: "<open>")
        #expect(refusal(try book.bytes())?.containsBytes(of: "'\(part)' is damaged") == true)
    }

    /// A part whose bytes have changed is named, and not read as it is.
    @Test func aWrongChecksumIsNamed() throws {
        var bytes = try BookMaker(rows: Self.row).bytes()
        let name = Array("xl/worksheets/a.xml".utf8)
        // The last time that the name is there is in the directory, 46 bytes behind the begin of its entry; the checksum is
        // in bytes 16 to 19 of that.
        let found = try #require(bytes.indices.last { bytes[$0...].starts(with: name) })
        #expect(bytes[found - 46..<found - 42].elementsEqual([0x50, 0x4B, 1, 2]))
        bytes[found - 30] ^= 1
        #expect(
            refusal(bytes)?.hasPrefix("a.xlsx: the workbook's part 'xl/worksheets/a.xml' is damaged: CRC error") == true
        )
    }

    @Test func entitiesAreNotRead() throws {
        var book = BookMaker(rows: Self.row)
        let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]><a>&b;&c;</a>"
        for part in ["xl/worksheets/a.xml", "xl/styles.xml"] {
            book.replace(part, with: bomb)
            #expect(refusal(try book.bytes())?.containsBytes(of: "document type (DTD)") == true)
        }
    }

    @Test func whatUnpacksToManyTimesItsSizeIsRefused() throws {
        var book = BookMaker(rows: Self.row)
        let spaces = String(repeating: " ", count: 4 << 20)
        book.replace(
            "xl/worksheets/a.xml", with: "<worksheet \(BookMaker.main)><sheetData>\(spaces)</sheetData></worksheet>")
        let bytes = try book.bytes()
        #expect(bytes.count < 20_000)
        #expect(refusal(bytes)?.containsBytes(of: "250 times its packed size") == true)
    }

    @Test func aTextBeyondTheLimitIsNamedByItsCell() throws {
        var random = SeededGenerator(seed: 1)
        let long = String(
            (0..<FormExchangeLimits.cell + 1).map { _ in
                Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random)))
            })
        let book = BookMaker(rows: "<row r=\"3\"><c r=\"B3\" t=\"inlineStr\"><is><t>\(long)</t></is></c></row>")
        #expect(refusal(try book.bytes())?.containsBytes(of: "survey!B3 is larger than the limit of 127 KB") == true)
    }

    @Test func aFileBeyondTheLimitIsNotOpened() {
        let bytes = [UInt8](repeating: 0x50, count: FormExchangeLimits.file + 1)
        for file in ["a.xlsx", "a.ods", "a.csv", "a.md"] {
            #expect(refusal(bytes, file: file)?.containsBytes(of: "larger than the limit of 16 MB") == true)
        }
    }

    /// No damage crashes the reader.
    @Test func damagedBytesAreReadOrRefused() throws {
        let whole = try FormFixtures.bytes("household.xlsx")
        for seed in 0..<UInt64(200) {
            var random = SeededGenerator(seed: seed)
            var bytes = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? FormFixtures.sheets("a.xlsx", bytes: bytes)
        }
    }
}
