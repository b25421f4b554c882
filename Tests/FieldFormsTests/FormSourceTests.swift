import DocumentValues
import FormExchange
import FormLogic
import Foundation
import Testing

@testable import FieldForms

@Suite struct FormSourceTests {
    @Test func aFormIsReadByItsKind() throws {
        let shelf = try FormShelf()
        let yaml = try shelf.write(Array(FormShelf.yaml().utf8), to: "people.yaml")
        let read = try FormSource.read(yaml)
        #expect(read.findings.isEmpty && read.form.questionCount == 2)
        let sheets = SheetExport(read.form).sheets
        let book = try shelf.write(XLSXWriter.write(sheets, file: "people"), to: "people.xlsx")
        let table = try shelf.write(TableWriter.csv(sheets), to: "people.csv")
        let markup = try shelf.write(XFormExport.write(read.form), to: "people.xml")
        for sheet in sheets { _ = try shelf.write(TableWriter.csv(sheet), to: "tables/\(sheet.name).csv") }
        let folder = shelf.root.appendingPathComponent("tables").path
        for path in [book, table, markup, folder, folder + "/survey.csv"] {
            let source = try FormSource.read(path)
            #expect(!source.findings.hasErrors, "\(path)")
            #expect(source.form.id == "people" && source.form.version == "1", "\(path)")
            #expect(source.form.nodes.map(\.name) == ["who", "age"], "\(path)")
        }
        #expect(try FormSource.read(book).form.digest.isExactly(read.form.digest))
    }

    @Test func idAndVersionMayBeGiven() throws {
        let shelf = try FormShelf()
        var options = FormSource.Options()
        (options.formID, options.version) = ("folk", "7")
        let path = try shelf.write(Array(FormShelf.yaml().utf8), to: "people.yaml")
        let source = try FormSource.read(path, options: options)
        #expect(source.form.id == "folk" && source.form.version == "7")
    }

    @Test func headingsNameTheColumnsOfAWorkbook() throws {
        let shelf = try FormShelf()
        let sheet = Sheet(
            name: "survey",
            rows: [
                SheetRow(number: 1, texts: ["type", "name", "label"]),
                SheetRow(number: 2, texts: ["intger", "age", "Age"]),
            ])
        let path = try shelf.write(XLSXWriter.write([sheet], file: "b"), to: "b.xlsx")
        let source = try FormSource.read(path)
        let finding = try #require(source.findings.shown.first { $0.code == .unknownType })
        #expect(source.headings.heading(at: finding.position) == "type")
        #expect(finding.position.line == 2 && finding.text.contains("integer"))
    }

    // MARK: Files beside a form

    private static let naming = """
        form: towns
        version: 1
        files: [towns.csv]
        questions:
          - select_one_from_file towns.csv where: Town

        """

    @Test func filesAreFoundBesideTheFormOrInItsFolder() throws {
        let shelf = try FormShelf()
        let path = try shelf.write(Array(Self.naming.utf8), to: "form.yaml")
        #expect(try FormSource.read(path).findings.shown.map(\.code).contains(.missingFile))
        let csv = Array("name,label\na,Alba\n".utf8)
        _ = try shelf.write(csv, to: "form-media/towns.csv")
        #expect(try FormSource.read(path).files == ["towns.csv": csv])
        #expect(try !FormSource.read(path).findings.hasErrors)
        var options = FormSource.Options()
        options.media = shelf.root.appendingPathComponent("nowhere").path
        #expect(throws: UnreadableFormFile.self) { try FormSource.read(path, options: options) }
    }

    /// A table that cannot be read is named when the form is checked, and not when it is filled.
    @Test(arguments: [("name,label\na,\"Alba\n", "line 2"), ("name,label\na,\"Al\"ba\n", "line 2")])
    func aTableWithAFaultIsNamed(csv: String, part: String) throws {
        let shelf = try FormShelf()
        let path = try shelf.write(Array(Self.naming.utf8), to: "form.yaml")
        _ = try shelf.write(Array(csv.utf8), to: "towns.csv")
        let finding = try #require(try FormSource.read(path).findings.shown.first { $0.code == .unreadable })
        #expect(finding.message.contains("'towns.csv'") && finding.message.contains(part))
        #expect(finding.position == .text(line: 3, column: 9))
    }

    @Test func aDocumentThatCannotBeReadIsNamed() throws {
        let shelf = try FormShelf()
        let text = Self.naming.replacing("towns.csv", with: "towns.xml")
        let path = try shelf.write(Array(text.utf8), to: "form.yaml")
        _ = try shelf.write(Array("<root><item></root>".utf8), to: "towns.xml")
        #expect(try FormSource.read(path).findings.shown.contains { $0.message.hasPrefix("towns.xml: line 1") })
    }

    /// A form from elsewhere must not bring what is not its own into a folder that is sent to a gateway.
    @Test func nothingIsReadThroughLinksOrOtherFolders() throws {
        let shelf = try FormShelf()
        let secret = try shelf.write(Array("name,label\nsecret,secret\n".utf8), to: "secret.csv")
        try FileManager.default.createDirectory(
            at: shelf.root.appendingPathComponent("in"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: shelf.root.appendingPathComponent("in/link.csv").path, withDestinationPath: secret)
        for name in ["../secret.csv", "link.csv", secret] {
            let text = Self.naming.replacing("towns.csv", with: "'\(name)'")
            let path = try shelf.write(Array(text.utf8), to: "in/form.yaml")
            let files = (try? FormSource.read(path))?.files ?? [:]
            #expect(files.isEmpty, "\(name)")
        }
    }

    /// The records of another program's form are right without its pictures.
    @Test func aMissingPictureOfAnImportedFormIsAWarning() throws {
        let shelf = try FormShelf()
        let table = ",type,name,label,image\n,text,who,Name,face.png\n"
        let path = try shelf.write(Array(("survey\n" + table).utf8), to: "faces.csv")
        let findings = try FormSource.read(path).findings
        #expect(!findings.hasErrors)
        #expect(findings.shown.contains { $0.message.contains("face.png") })
    }

    @Test func mediaOfAFormInYAMLAreTakenIn() throws {
        let shelf = try FormShelf()
        let text = "form: f\nversion: 1\nquestions:\n  - text who: Name\n    media: {image: face.png}\n"
        let path = try shelf.write(Array(text.utf8), to: "faces.yaml")
        let missing = try FormSource.read(path)
        let lines = FindingLines(file: "f", findings: missing.findings.shown).lines
        #expect(
            lines == [
                "f:4:5: warning W211: the file 'face.png' is not there, and is not shown. "
                    + "Put it beside the form, or name its folder: --media FOLDER"
            ])
        // What was written of it is read again without the picture, too.
        let written = try shelf.write(Array(FormYAML.write(missing.form).utf8), to: "other/faces.yaml")
        let again = try FormSource.read(written)
        #expect(!again.findings.hasErrors && again.form.digest.isExactly(missing.form.digest))
        let picture: [UInt8] = [0x89, 0x50]
        _ = try shelf.write(picture, to: "faces-media/face.png")
        let whole = try FormSource.read(path)
        #expect(whole.findings.isEmpty && whole.files == ["face.png": picture])
    }

    // MARK: Hostile files

    @Test(arguments: ["form.xlsx", "form.xml", "form.xls", "form.ods", "form.docx"])
    func whatIsNoFormIsRefused(name: String) throws {
        let shelf = try FormShelf()
        let path = try shelf.write(Array("no form at all".utf8), to: name)
        #expect(throws: FormFileError.self) { try FormSource.read(path) }
    }

    @Test func aTruncatedWorkbookIsRefused() throws {
        let shelf = try FormShelf()
        let form = FormYAML.read(FormShelf.yaml()).form
        let whole = try XLSXWriter.write(SheetExport(form).sheets, file: "f")
        for count in stride(from: 0, to: whole.count, by: max(1, whole.count / 25)) {
            let path = try shelf.write(Array(whole.prefix(count)), to: "cut.xlsx")
            #expect(throws: FormFileError.self, "\(count)") { try FormSource.read(path) }
        }
    }

    @Test func entitiesAreNotExpanded() throws {
        let shelf = try FormShelf()
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
            <h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>&c;</h:title></h:head></h:html>
            """
        let path = try shelf.write(Array(text.utf8), to: "bomb.xml")
        #expect(throws: FormFileError.self) { try FormSource.read(path) }
    }

    @Test func aFormBeyondItsLimitHasAFinding() throws {
        let shelf = try FormShelf()
        var text = "form: long\nversion: 1\nquestions:\n"
        for number in 1...5_001 { text += "  - text q\(number): Question\n" }
        let path = try shelf.write(Array(text.utf8), to: "long.yaml")
        #expect(try FormSource.read(path).findings.shown.contains { $0.code == .limit })
    }

    @Test func foldersPipesAndMissingFilesAreNamed() throws {
        let shelf = try FormShelf()
        for path in [shelf.root.path, shelf.root.appendingPathComponent("no.yaml").path] {
            #expect(throws: UnreadableFormFile.self) { try FormSource.read(path) }
        }
        let pipe = shelf.root.appendingPathComponent("pipe.yaml").path
        #expect(mkfifo(pipe, 0o600) == 0)
        // It must not wait for a writer.
        #expect(throws: UnreadableFormFile.self) { try FormSource.read(pipe) }
    }
}
