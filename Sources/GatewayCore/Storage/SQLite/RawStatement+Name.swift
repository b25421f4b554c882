import DocumentValues
import SQLiteStorage

extension RawStatement {
    func bind(_ index: Int32, to name: Name) { bind(index, to: name.text) }

    func name(_ column: Int32) -> Name { Name(text(column)) }
}
