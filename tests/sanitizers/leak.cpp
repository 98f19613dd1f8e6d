// A planted bug: loses the only pointer to an allocation.
namespace {

int* volatile kept = nullptr;

}

int main() {
    kept = new int(1);
    kept = nullptr;
    return 0;
}
