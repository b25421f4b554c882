import DocumentValues
import SQLiteStorage

extension RawStatement {
    func bind(_ index: Int32, _ name: Name) { bind(index, name.text) }

    func name(_ column: Int32) -> Name { Name(text(column)) }
}
