import FormLogic
import Testing

@Suite struct FormNumberTextTests {
    @Test(arguments: [
        (0.1, "0.1"), (1.0 / 3, "0.3333333333333333"), (12_345_678_901, "12345678901"), (0.00001, "0.00001"),
        (-0.0, "0"),
        (1e21, "1000000000000000000000"), (1.5e-7, "0.00000015"), (-2.5e-8, "-0.000000025"),
        (1.25e20, "125000000000000000000"),

        (3 - 1e-13, "3"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"), (-0.5, "-0.5"),
    ])
    func aNumberHasNoExponent(value: Double, text: String) { #expect(FormNumberText.of(value) == text) }

    @Test(arguments: [(34.0, "34.0"), (13.4, "13.4"), (-0.0, "0.0")])
    func aPartOfAPointHasAFraction(value: Double, text: String) { #expect(FormNumberText.withFraction(value) == text) }
}
