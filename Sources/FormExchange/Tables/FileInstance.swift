import DocumentValues
import FormLogic

/// A file beside a form, as expressions see it: the rows of a table, or the elements of a document.
package enum FileInstance {
    /// - Parameter file: no picture and no sound.
    /// - Throws: `FormFileError` for a file that cannot be read, or has more rows than a form may look up.
    package static func read(_ bytes: [UInt8], file: FormFile) throws(FormFileError) -> FormInstance {
        let name = file.name.text
        switch file.kind {
        case .csv: return .table(try table(bytes, file: name))
        case .xml: return .document(TreeInstance(root: try MarkupElement(bytes, file: name).instanceElement))
        case .geojson: return .table(try FeatureTable.read(bytes, file: name))
        case .media: throw FormFileError(.notAForm("it is no table"), file: name)
        }
    }

    /// A fault of a file that can be read all the same: a quotation mark that is missing in a table, of which one cell may
    /// be many rows. `nil` for none.
    package static func fault(in bytes: [UInt8], file: FormFile) -> String? {
        guard file.kind == .csv, let row = CSVReader(bytes).first(where: { $0.defect != nil }) else { return nil }
        return "a quotation mark is missing, or is one too many, in the row of line \(row.line)"
    }

    /// The children of a row are the columns of the header, all texts; a column without a name is left out.
    private static func table(_ bytes: [UInt8], file: String) throws(FormFileError) -> TableInstance {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rows = CSVReader(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
        var header: [String]?
        var cells: [[String?]] = []
        for row in rows {
            guard header != nil else {
                header = row.fields.map(\.trimmingSpaces)
                continue
            }
            try checkCount(cells.count, file: file)
            cells.append(row.fields)
        }
        let names = (header ?? []).map { Name($0) }
        let named = names.indices.filter { !names[$0].isEmpty }
        let rest = cells.map { row in named.map { $0 < row.count ? row[$0] : nil } }
        return TableInstance(columns: named.map { names[$0] }, rows: rest)
    }

    static func checkCount(_ count: Int, file: String) throws(FormFileError) {
        guard count < FormLimits.choicesInFile else {
            throw FormFileError(.tooLarge("the table", limit: "\(FormLimits.choicesInFile) rows"), file: file)
        }
    }
}

extension MarkupElement {
    /// With the elements in it, whose depth the reader limits.
    fileprivate var instanceElement: InstanceElement {
        InstanceElement(
            name: Name(local), text: text.trimmingSpaces,
            attributes: tag.attributes.map { NamedText(name: Name($0.local), text: $0.value) },
            children: children.map(\.instanceElement))
    }
}
