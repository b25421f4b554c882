import Testing

@testable import DocumentStore

/// The values that a database has for itself.
@Suite struct PropertyTableTests {
    @Test func valuesAreSetAddedAndRemoved() throws {
        let folder = try TestFolder()
        try folder.open().core().write { transaction in
            let table = PropertyTable(transaction.db)
            #expect(try table.value(of: "a_test") == nil && !table.contains("a_test"))
            try table.add("a_test", value: [1])
            try table.add("a_test", value: [2])
            #expect(try table.value(of: "a_test") == [1] && table.contains("a_test"))
            try table.set("a_test", to: [3])
            try table.set("another", to: [])
            try table.set("aXtest", to: [4])
            #expect(try table.value(of: "a_test") == [3] && table.contains("another"))
            try table.removeAll(like: #"a\_%"#)
            #expect(try !table.contains("a_test") && table.value(of: "aXtest") == [4])
            try table.remove("aXtest")
            #expect(try !table.contains("aXtest") && table.contains("private_uuid"))
        }
    }
}
