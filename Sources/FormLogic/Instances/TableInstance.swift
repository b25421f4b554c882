import DocumentValues

/// The rows of a list or of a table, as `root/item` with an element for each cell.
package struct TableInstance: Sendable {
    package static let document = 0
    package static let root = 1

    /// The column of a row's own text: an item of an XForm may hold a text and no elements. No element has that name.
    package static let ownText: Name = "."

    package let columns: [Name]
    private let columnIndex: [Name: Int]
    /// Row by row; `nil` where a row has no such cell.
    private let cells: [String?]
    package let rowCount: Int
    private var indexes: [Int: ColumnIndex] = [:]

    private struct ColumnIndex: Sendable {
        var byText: [Name: [Int]] = [:]
        /// Cells that are numbers, in their order.
        var byNumber: [(number: Double, row: Int)] = []
    }

    /// Rows shorter than the header have no further cells; longer ones are cut.
    package init(columns: [Name], rows: [[String?]]) {
        self.columns = columns
        columnIndex = Dictionary(columns.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        rowCount = rows.count
        var cells: [String?] = []
        cells.reserveCapacity(rows.count * columns.count)
        for row in rows {
            cells += row.prefix(columns.count)
            cells += [String?](repeating: nil, count: max(0, columns.count - row.count))
        }
        self.cells = cells
    }

    /// With an index of these columns, so that a look-up by equality does not pass all rows.
    package mutating func index(_ names: some Sequence<Name>, conversions: Conversions) {
        for column in names.compactMap({ columnIndex[$0] }) where indexes[column] == nil {
            var index = ColumnIndex()
            for row in 0..<rowCount {
                guard let text = cell(row: row, column: column) else { continue }
                index.byText[Name(text), default: []].append(row)
                let number = conversions.number(.text(text))
                if !number.isNaN { index.byNumber.append((number, row)) }
            }
            index.byNumber.sort { ($0.number, $0.row) < ($1.number, $1.row) }
            indexes[column] = index
        }
    }

    package func column(_ name: Name) -> Int? { columnIndex[name] }

    package func cell(row: Int, column: Int) -> String? { cells[row * columns.count + column] }

    package func cell(row: Int, column name: Name) -> String? {
        columnIndex[name].flatMap { cell(row: row, column: $0) }
    }

    /// The rows whose cell equals the value, by the rules of `=`; `nil` where the column has no index or the value is a
    /// boolean.
    package func rows(column name: Name, equalTo value: FormValue, conversions: Conversions) -> [Int]? {
        guard let index = columnIndex[name].flatMap({ indexes[$0] }) else { return nil }
        switch value {
        case .boolean: return nil
        case .text, .moment, .time: return index.byText[Name(conversions.text(value))] ?? []
        case .number(let number):
            guard !number.isNaN else { return [] }
            guard number.isFinite else { return nil }
            return rows(in: index, equalTo: number)
        }
    }

    private func rows(in index: ColumnIndex, equalTo number: Double) -> [Int] {
        var (low, high) = (0, index.byNumber.count)
        while low < high {
            let middle = (low + high) / 2
            if index.byNumber[middle].number <= number - FormNumberText.tolerance {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return index.byNumber[low...].prefix { $0.number < number + FormNumberText.tolerance }.map(\.row).sorted()
    }

    // MARK: Nodes

    /// The number of a row's element.
    package func item(row: Int) -> Int { 2 + row * (columns.count + 1) }

    /// The row of an element, or of a cell in it.
    package func row(of node: Int) -> Int? { node >= 2 ? (node - 2) / (columns.count + 1) : nil }

    /// The column of a cell; `nil` for another node.
    package func column(of node: Int) -> Int? {
        guard node >= 2 else { return nil }
        let rest = (node - 2) % (columns.count + 1)
        return rest == 0 ? nil : rest - 1
    }

    func parent(of node: Int) -> Int? {
        guard node > 0 else { return nil }
        guard let row = row(of: node) else { return Self.document }
        return column(of: node) == nil ? Self.root : item(row: row)
    }

    func name(of node: Int) -> Name? {
        guard node > 0 else { return nil }
        guard node > 1 else { return "root" }
        return column(of: node).map { columns[$0] } ?? "item"
    }

    func text(of node: Int) -> String {
        guard let row = row(of: node) else { return "" }
        guard let column = column(of: node) ?? columnIndex[Self.ownText] else { return "" }
        return cell(row: row, column: column) ?? ""
    }

    func children(of node: Int, named name: Name?) -> [Int] {
        if node == Self.document { return name == nil || name == "root" ? [Self.root] : [] }
        if node == Self.root {
            return name == nil || name == "item" ? (0..<rowCount).map { item(row: $0) } : []
        }
        guard let row = row(of: node), column(of: node) == nil else { return [] }
        let wanted = name.map { name in columnIndex[name].map { [$0] } ?? [] } ?? Array(columns.indices)
        return wanted.filter { columns[$0] != Self.ownText && cell(row: row, column: $0) != nil }.map { node + 1 + $0 }
    }
}
