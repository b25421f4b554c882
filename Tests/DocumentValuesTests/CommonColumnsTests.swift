import DocumentValues
import Testing

@Suite struct CommonColumnsTests {
    private static func names(_ mark: String, count: Int) -> [Name] { (0..<count).map { Name("\(mark)\($0)") } }

    @Test func namesAreColumnsInTheOrderInWhichTheyAppear() {
        var columns = CommonColumns()
        columns.count(["b", "a"])
        columns.count(["c", "a"])
        #expect(columns.chosen == ["b", "a", "c"] && !columns.isCut)
    }

    /// Of look-alikes each is a column.
    @Test func namesAreTheirBytes() {
        var columns = CommonColumns()
        columns.count(["caf\u{E9}", "cafe\u{301}"])
        #expect(columns.chosen.count == 2)
    }

    @Test func whatMostDocumentsHaveIsAColumn() {
        var columns = CommonColumns()
        columns.count(Self.names("rare", count: 400))
        columns.count(Self.names("odd", count: 400))
        for _ in 0..<2 { columns.count(["late", "usual"]) }
        let chosen = columns.chosen
        #expect(chosen.count == CommonColumns.limit && columns.isCut)
        #expect(chosen.suffix(2) == ["late", "usual"] && chosen.first == "rare0")
    }

    @Test func whatIsTooLongForAHeadingIsNoColumn() {
        var columns = CommonColumns()
        let long = Name(String(repeating: "n", count: CommonColumns.longestName + 1))
        columns.count([long, "a"])
        #expect(columns.chosen == ["a"] && columns.isCut)
    }

    @Test func oneDocumentHasNoMoreThanATableTakes() {
        var columns = CommonColumns()
        columns.count(Self.names("own", count: CommonColumns.limit + 1))
        #expect(columns.chosen == Self.names("own", count: CommonColumns.limit) && columns.isCut)
    }
}
