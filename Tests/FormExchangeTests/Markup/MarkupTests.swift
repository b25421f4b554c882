import DocumentValues
import Testing

@testable import FormExchange

/// XML from outside.
@Suite struct MarkupTests {
    private func refusal(_ bytes: [UInt8]) -> String? {
        do throws(FormFileError) {
            _ = try MarkupElement(bytes, file: "a.xml")
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        "<!DOCTYPE a><a/>", "<?xml version=\"1.0\"?>\n<!-- x --><!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
        "\u{FEFF}<!DOCTYPE a SYSTEM \"http://x/y.dtd\"><a/>", " <?p <!-- ?><!doctype a><a/>",
    ])
    func documentTypesAreRefused(text: String) {
        #expect(refusal(Array(text.utf8))?.containsBytes(of: "document type (DTD)") == true)
        // UTF-16 hides nothing.
        let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(refusal([0xFE, 0xFF] + wide)?.containsBytes(of: "document type (DTD)") == true)
    }

    @Test(arguments: [
        ("<a>", "it ends too early"), ("<a></b>", "error 76"), ("", "it ends too early"), ("<a>&x;</a>", "error"),
        ("<?xml version=\"1.0\" encoding=\"UTF-7\"?><a/>", "encoded as 'utf-7'"), ("<a b='1' b='2'/>", "error"),
        ("<a/>x", "error"),
    ])
    func whatIsNotWellFormedIsRefused(text: String, part: String) {
        #expect(refusal(Array(text.utf8))?.containsBytes(of: part) == true, "\(refusal(Array(text.utf8)) ?? "-")")
    }

    /// The setting `instance_xmlns` of a form may be any text.
    @Test(arguments: ["<a xmlns=\"1234\"><b/></a>", "<a xmlns:c=\"d\"><c:b/></a>", "<a xmlns=\"%\"><b/></a>"])
    func anAddressOfNamesNeedsNoScheme(text: String) { #expect(refusal(Array(text.utf8)) == nil) }

    @Test func theLineOfAFaultIsNamed() {
        #expect(refusal(Array("<a>\n<b>\n</a>".utf8))?.hasPrefix("a.xml: line 3: this is no well-formed XML") == true)
    }

    /// Foundation's parser crashes where a name is no UTF-8.
    @Test func bytesThatAreNoTextAreRefused() {
        let bytes = Array("<a>\n<n".utf8) + [0xEC] + Array("me/></a>".utf8)
        #expect(refusal(bytes)?.hasPrefix("a.xml: line 2: ") == true)
        #expect(refusal(bytes)?.containsBytes(of: "bytes that are no UTF-8") == true)
    }

    @Test func elementsInEachOtherHaveALimit() {
        let depth = FormExchangeLimits.markupDepth
        func nested(_ count: Int) -> [UInt8] {
            Array((String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)).utf8)
        }
        #expect(refusal(nested(depth)) == nil)
        #expect(refusal(nested(depth + 1))?.containsBytes(of: "more than \(depth) elements") == true)
    }

    @Test func namesHaveTheirVocabulary() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <h:a xmlns:h="http://www.w3.org/1999/xhtml" xmlns="http://www.w3.org/2002/xforms" \
            xmlns:j="http://openrosa.org/javarosa" j:count="2" jr:x="3" b="1"><c>t<![CDATA[<u>]]></c>&amp;</h:a>
            """
        let root = try MarkupElement(Array(text.utf8), file: "a.xml")
        #expect(root.tag.namespace == .html && root.local == "a" && root["b"] == "1")
        #expect(root["count", in: .javaRosa] == "2" && root["x", in: .javaRosa] == "3" && root["count"] == nil)
        #expect(root.child("c")?.tag.namespace == .xforms && root.child("c")?.text == "t<u>")
        #expect(root.text == "&")
    }

    @Test func otherEncodingsAreRead() throws {
        let latin = Array("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try MarkupElement(latin, file: "a").text == "é")
        let wide = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>é🌊</a>".utf16.flatMap {
            [UInt8($0 & 0xFF), UInt8($0 >> 8)]
        }
        #expect(try MarkupElement(wide, file: "a").text == "é🌊")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var writer = MarkupWriter()
        writer.element("a", with: ["b": "<\"&\n'>", "none": nil]) { $0.write("x\u{0}<y>&\r\n]]>") }
        let root = try MarkupElement(Array(writer.text.utf8), file: "a")
        #expect(root["b"] == "<\"&\n'>" && root.tag.attributes.count == 1)
        #expect(root.text == "x<y>&\r\n]]>")
    }
}
