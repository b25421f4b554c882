import DocumentValues
import Testing

@testable import FormExchange

/// Paths of expressions as references.
@Suite struct PathReferencesTests {
    private static let instance =
        "<data><nm/><age/><person><pname/><pets/><visit><n/></visit></person><g><ing/><nm/></g></data>"

    private func converted(_ text: String, at path: String, isGenerated: Bool = true) throws -> String {
        let tree = InstanceTree(try MarkupElement(Array(Self.instance.utf8), file: "a"))
        let repeats = ["/data/person", "/data/person/visit"].compactMap { XFormPath($0) }
        let references = PathReferences(tree: tree, repeats: Set(repeats), isGenerated: isGenerated)
        return references.converted(text, context: XFormPath(path))
    }

    @Test(arguments: [
        (" /data/age  > 5", "${age} > 5"), ("if( /data/age  = 1, 'a', 'b')", "if(${age} = 1, 'a', 'b')"),
        ("'/data/age'", "'/data/age'"), ("concat( /data/age , \"/data/age\")", "concat(${age}, \"/data/age\")"),
        // Two nodes have the name.
        (" /data/nm  + 1", "/data/nm  + 1"), ("/data/zz + 1", "/data/zz + 1"),
        ("count( /data/person )", "count(${person})"),
        ("/data/person[pets > 1]/pname", "${person}[pets > 1]/pname"), ("a[1]/data/age", "a[1]/data/age"),
        ("instance('l')/root/item[x =  /data/age ]", "instance('l')/root/item[x = ${age}]"),
        ("instance('__last-saved')/data/age", "${last-saved#age}"), ("/data", "/data"),
        ("/data/age/text()", "${age}/text()"),
        ("a div /data/age", "a div ${age}"), ("//age", "//age"),
    ])
    func absolutePathsBecomeReferences(text: String, expected: String) throws {
        #expect(try converted(text, at: "/data/g/ing") == expected)
    }

    @Test(arguments: [
        (" ../pname  = 'x'", "${pname} = 'x'"), (" current()/../pname ", "${pname}"), (" ../../age ", "../../age"),
        ("../../zz + 1", "../../zz + 1"), ("sum( ../visit/n )", "sum(${n})"),
    ])
    func relativePathsOfPyxformBecomeReferences(text: String, expected: String) throws {
        #expect(try converted(text, at: "/data/person/pets") == expected)
    }

    @Test func otherFormsKeepTheirRelativePaths() throws {
        #expect(try converted(" ../pname ", at: "/data/person/pets", isGenerated: false) == "../pname")
        #expect(try converted("a = /data/age and b", at: "/data/g/ing", isGenerated: false) == "a = ${age} and b")
    }

    @Test(arguments: [
        ("instance('l')/root/item", "l", nil, false, nil),
        ("instance(\"l\")/root/item[a = 'x]']", "l", "a = 'x]'", false, nil),
        ("randomize(instance('l')/root/item)", "l", nil, true, nil),
        ("randomize(instance('l')/root/item[a=1], 42)", "l", "a=1", true, "42"),
        ("instance('l')/root/item[a=1][b[1]=2]", "l", "(a=1) and (b[1]=2)", false, nil),
        ("/data/r[./i != '']", "/data/r", "./i != ''", false, nil),
    ])
    func itemsetsAreCut(text: String, source: String, filter: String?, isRandomized: Bool, seed: String?) {
        let itemset = ItemsetText(text)
        switch itemset.source {
        case .instance(let name), .nodes(let name): #expect(name == source)
        }
        #expect(itemset.filter == filter && itemset.isRandomized == isRandomized && itemset.seed == seed)
    }
}
